/** How one field of a tool counts. */
export interface FieldWeight {
  /** What one occurrence in a field of typical length is worth. */
  readonly weight: number
  /** Length in words at which the field neither gains nor loses. */
  readonly typicalLength: number
  /** 0: length does not matter; 1: an occurrence in a field twice as long is worth half (BM25's b). */
  readonly lengthShare: number
}

export type FieldName = 'name' | 'title' | 'server' | 'lead' | 'description' | 'parameterName' | 'parameterDescription'

export interface SearchWeights {
  readonly fields: Readonly<Record<FieldName, FieldWeight>>
  /** BM25's k1: the weight at which a term has earned half of what it can earn. */
  readonly saturation: number
  /** How much a tool gains by answering to more of the query: the exponent of the answered share. */
  readonly coverage: number
  /** Shares of a wish, against 1 for the word itself. */
  readonly alias: number
  readonly chineseAlias: number
  readonly typo: number
  readonly joined: number
  readonly compoundPart: number
  readonly characterPair: number
  readonly fileType: number
  readonly anyFile: number
}

/** Round values near the middle of what does well on `bench/data/tool-search`, judged by leaving one task out at a time. */
export const DEFAULT_WEIGHTS: SearchWeights = {
  fields: {
    name: { weight: 3, typicalLength: 3, lengthShare: 0.8 },
    title: { weight: 1.5, typicalLength: 3, lengthShare: 0.5 },
    server: { weight: 4, typicalLength: 3, lengthShare: 0.5 },
    lead: { weight: 2, typicalLength: 12, lengthShare: 0.3 },
    description: { weight: 0.6, typicalLength: 60, lengthShare: 0.4 },
    parameterName: { weight: 0.5, typicalLength: 5, lengthShare: 0.7 },
    parameterDescription: { weight: 0.5, typicalLength: 30, lengthShare: 0.4 },
  },
  saturation: 4,
  coverage: 0.2,
  alias: 0.55,
  chineseAlias: 1,
  typo: 0.7,
  joined: 0.7,
  compoundPart: 0.5,
  characterPair: 0.7,
  fileType: 0.8,
  anyFile: 1,
}

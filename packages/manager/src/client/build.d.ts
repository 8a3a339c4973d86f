/** A sheet, imported as its text; the build turns it into a string. */
declare module '*.css' {
  const text: string
  export default text
}

/** Version of the package, put in by the build. */
declare const BUNDLE_VERSION: string

export const name = 'placeholder'

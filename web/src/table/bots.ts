/** The program that sits down where nobody chose another: a fair opponent for a first game, and an instant one. */
export const USUAL = 'mason'

export const usualBot = (bots: string[]): string | undefined => bots.find((bot) => bot === USUAL) ?? bots.at(-1)

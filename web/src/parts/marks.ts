/** The shape that goes with a player's colour, on a 24-unit grid, in the order of the seats. */
export const marks = [
  'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  'M4 4h16v16H4z',
  'M12 3 22 20.5H2z',
  'M12 1.5 22.5 12 12 22.5 1.5 12z',
  'M12 1.8l3 6.7 7.3.800-5.4 5 1.5 7.2L12 17.9l-6.4 3.6 1.5-7.2-5.4-5L9 8.5z',
  'M12 2l9 5v10l-9 5-9-5V7z',
  'M9 2.5h6V9h6.500v6H15v6.500H9V15H2.500V9H9z',
  'M12 2.5a9.500 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19zm0 6a3.500 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
]

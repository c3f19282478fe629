/** Reference of a withdrawal's transaction; numbers start at 1. */
export const submissionReference = (withdrawId: string, number: number): string =>
  `withdrawal:${withdrawId}:${number}`;

export const withdrawIdOf = (reference: string): string => reference.split(':')[1] ?? '';

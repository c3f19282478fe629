/** An upstream answered something else than what its documentation says. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
}

/** An upstream response that does not match its documentation. */
export class UnreadableResponseError extends Error {
  override readonly name = 'UnreadableResponseError';
}

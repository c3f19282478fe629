import { withUrlOrigins } from '@bascule/process';

const MAX_LENGTH = 1_000;

/** Messages of an error and its causes for an operator, with URLs cut to their origin. */
export function errorReason(error: unknown): string {
  const messages: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    messages.push(`${current.name}: ${current.message}`);
    if (messages.length === 5) break;
  }
  return withUrlOrigins(messages.length > 0 ? messages.join(' <- ') : String(error))
    .replaceAll('\u0000', '\ufffd')
    .slice(0, MAX_LENGTH);
}

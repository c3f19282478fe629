import type { NamedAddress } from '@bascule/chain';
import type { ValidationError } from '@bascule/contracts';
import { addressProblem, isAddressText } from './address-problems.js';

export interface KnownReferences {
  refused: readonly NamedAddress[];
  isChain: (name: string) => boolean;
  /** Added to the message about an unknown chain. */
  hint: string;
}

/** Problems of the fields' values; the DTO's validation reports wrong shapes. */
export function requestProblems(body: unknown, known: KnownReferences): ValidationError[] {
  if (typeof body !== 'object' || body === null) return [];
  const fields = body as Record<string, unknown>;
  const checks: Record<string, (value: unknown) => string | undefined> = {
    owner_address: (value) =>
      isAddressText(value) ? addressProblem(value, known.refused) : undefined,
    destination_address: (value) =>
      isAddressText(value) ? addressProblem(value, known.refused) : undefined,
    owner_chain: (value) =>
      typeof value === 'string' && !known.isChain(value)
        ? `Unknown chain.${known.hint}`
        : undefined,
    client_redirect_url: (value) =>
      typeof value === 'string' ? redirectUrlProblem(value) : undefined,
    client_redirect_after: (value) =>
      typeof value === 'string' && (fields['client_redirect_url'] ?? null) === null
        ? 'Expected client_redirect_url beside client_redirect_after.'
        : undefined,
  };
  return Object.entries(checks).flatMap(([field, check]): ValidationError[] => {
    const message = check(fields[field]);
    return message === undefined ? [] : [{ code: 'custom', path: [field], message }];
  });
}

const FORBIDDEN = new Set(['javascript:', 'data:', 'blob:', 'vbscript:']);

/** Reason why a redirect URL is refused; undefined for none. Custom schemes of apps are allowed. */
export function redirectUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Expected an absolute URL with a scheme.';
  // Parsers strip blanks and control characters, and may then read another scheme.
  if (/[\s\p{Cc}]/u.test(text)) return 'A URL holds neither blanks nor control characters.';
  const { protocol } = new URL(text);
  return FORBIDDEN.has(protocol) ? `The scheme "${protocol}" is not allowed.` : undefined;
}

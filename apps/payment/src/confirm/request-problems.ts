import type { NamedAddress } from '@bascule/chain';
import type { ValidationError } from '@bascule/contracts';
import { addressProblem, isAddressText } from './addresses.js';
import { redirectUrlProblem } from './redirect-url.js';

export interface KnownReferences {
  refused: readonly NamedAddress[];
  isChain: (name: string) => boolean;
}

/** What is wrong with the fields' meaning; fields of the wrong shape are reported elsewhere. */
export function requestProblems(body: unknown, known: KnownReferences): ValidationError[] {
  if (typeof body !== 'object' || body === null) return [];
  const fields = body as Record<string, unknown>;
  const checks: Record<string, (value: unknown) => string | undefined> = {
    owner_address: (value) =>
      isAddressText(value) ? addressProblem(value, known.refused) : undefined,
    destination_address: (value) =>
      isAddressText(value) ? addressProblem(value, known.refused) : undefined,
    owner_chain: (value) =>
      typeof value === 'string' && !known.isChain(value) ? 'The chain is not known.' : undefined,
    client_redirect_url: (value) =>
      typeof value === 'string' ? redirectUrlProblem(value) : undefined,
  };
  return Object.entries(checks).flatMap(([field, check]): ValidationError[] => {
    const message = check(fields[field]);
    return message === undefined ? [] : [{ code: 'custom', path: [field], message }];
  });
}

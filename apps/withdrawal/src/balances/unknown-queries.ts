import { parseTokenIdentifier, TEST_KEY_HINT } from '@bascule/contracts';
import type { KeyMode, TokenIdentifier, ValidationError } from '@bascule/contracts';

/** Tokens and chains that a caller may query. */
interface Queryable {
  isToken(this: void, token: TokenIdentifier): boolean;
  /** Undefined for an unknown chain. */
  isTestChain(this: void, name: string): boolean | undefined;
  /** Mode of the key. */
  mode: KeyMode | undefined;
}

/** Problem of each custom query whose token is unknown; for a test key those of live chains are. */
export function unknownQueries(
  queries: readonly { token: TokenIdentifier }[],
  { isToken, isTestChain, mode }: Queryable,
): ValidationError[] {
  const isTest = mode === 'test';
  const message = `Unknown token.${isTest ? TEST_KEY_HINT : ''}`;
  return queries.flatMap(({ token }, index): ValidationError[] => {
    const isTestnet = isTestChain(parseTokenIdentifier(token).chain);
    const isReachable = isTest ? isTestnet === true : isTestnet !== undefined;
    return isReachable && isToken(token)
      ? []
      : [{ code: 'custom', path: ['custom_queries', index, 'token'], message }];
  });
}

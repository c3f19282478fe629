import { isFiatCode, isTokenIdentifier, type ValidationError } from '@bascule/contracts';

const custom = (path: ValidationError['path'], message: string): ValidationError => ({
  code: 'custom',
  path,
  message,
});

/** Lists well-formed but unknown currencies and chains of a price request; malformed parts are left to its DTO. */
export function unknownReferences(
  body: unknown,
  known: {
    isFiat: (code: string) => boolean;
    isChain: (name: string) => boolean;
    /** Added to the message about a chain. */
    hint?: string;
  },
): ValidationError[] {
  if (typeof body !== 'object' || body === null) return [];
  const { fiat, tokens } = body as { fiat?: unknown; tokens?: unknown };
  const unknownFiat =
    typeof fiat === 'string' && isFiatCode(fiat) && !known.isFiat(fiat.toLowerCase())
      ? [custom(['fiat'], `No current price of ${fiat.toLowerCase()}.`)]
      : [];
  const { isChain, hint = '' } = known;
  const unknownChains = (Array.isArray(tokens) ? tokens : []).flatMap((token: unknown, index) => {
    if (typeof token !== 'string' || !isTokenIdentifier(token)) return [];
    const chain = token.slice(0, token.indexOf(':'));
    return isChain(chain) ? [] : [custom(['tokens', index], `Unknown chain ${chain}.${hint}`)];
  });
  return [...unknownFiat, ...unknownChains];
}

/** Refuses a request with more than `max` tokens. */
export function tooManyTokens(body: unknown, max: number): ValidationError[] {
  const { tokens } = (body ?? {}) as { tokens?: unknown };
  if (!Array.isArray(tokens) || tokens.length <= max) return [];
  return [{ code: 'too_big', path: ['tokens'], message: `Expected at most ${max} tokens.` }];
}

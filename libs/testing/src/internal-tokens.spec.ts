import { describe, expect, it } from '@jest/globals';
import { InternalTokenVerifier, parsePublicKeys } from '@bascule/identity';
import { internalTokens } from './internal-tokens.js';

describe('internalTokens', () => {
  it('signs callers that a service with its environment accepts', async () => {
    const { env, token } = internalTokens();
    const verifier = new InternalTokenVerifier(parsePublicKeys(env.INTERNAL_TOKEN_PUBLIC_KEYS));
    const caller = await verifier.verify(await token({ permissions: ['quotes'] }));
    expect(caller).toMatchObject({ kind: 'secret', permissions: ['quotes'] });
  });
});

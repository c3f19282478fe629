import { describe, expect, it } from '@jest/globals';
import {
  serviceAuthorizationHash,
  serviceAuthorizationPayload,
  withdrawalNonce,
} from '@bascule/solidity';
import { authorizationOf, nonceOf } from './authorization.js';

describe('the typed data of a withdrawal', () => {
  it('survives formatting and parsing, to the last digit', () => {
    const authorization = {
      description: 'Withdraw 1 "USDC"',
      actions: [
        { target: '0x00000000000000000000000000000000000000c1', data: '0xa9', value: 0n },
        { target: '0x00000000000000000000000000000000000000aa', data: '0x', value: 2n ** 200n },
      ],
      nonce: withdrawalNonce('0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718', 1_795_000_000n),
      signatory_declaration_hash: `0x${'ab'.repeat(32)}`,
      chain_id: 31_337n,
      accept_blame: true,
    } as const;
    const read = authorizationOf(serviceAuthorizationPayload(authorization));
    expect(serviceAuthorizationHash(read)).toBe(serviceAuthorizationHash(authorization));
    expect(read.actions[1]?.value).toBe(2n ** 200n);
  });
});

describe('the signed text from an older client', () => {
  it('identifies a withdrawal by its nonce', () => {
    expect(nonceOf('{"message":{"nonce":"7"}}')).toBe('7');
  });

  it.each(['else', '{}', '{"message":{"nonce":7}}', 'null'])(
    'identifies no withdrawal when it is %s',
    (payload) => {
      expect(nonceOf(payload)).toBe('');
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashTypedData, recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  parseWithdrawalNonce,
  type ServiceAuthorization,
  serviceAuthorizationHash,
  serviceAuthorizationPayload,
  serviceAuthorizationTypedData,
  withdrawalNonce,
} from './index.js';

const authorization: ServiceAuthorization = {
  description: 'Return 10 USDC to its owner',
  actions: [{ target: '0x1000000000000000000000000000000000000001', data: '0x1234', value: 5n }],
  nonce: withdrawalNonce('0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718', 1_800_000_000n),
  signatory_declaration_hash: `0x${'ab'.repeat(32)}`,
  chain_id: 31_337n,
  accept_blame: true,
};

describe('a service authorization', () => {
  it('is signed under a domain of name and version only', () => {
    const { domain, types, primaryType } = serviceAuthorizationTypedData(authorization);
    expect(domain).toEqual({ name: 'OneTimeWallet', version: '1' });
    expect(types.EIP712Domain.map(({ name }) => name)).toEqual(['name', 'version']);
    expect(primaryType).toBe('ServiceAuthorization');
  });

  it('keeps its hash through JSON', () => {
    const parsed: unknown = JSON.parse(serviceAuthorizationPayload(authorization));
    expect(hashTypedData(parsed as Parameters<typeof hashTypedData>[0])).toBe(
      serviceAuthorizationHash(authorization),
    );
  });

  it('carries its integers as decimal strings', () => {
    const { message } = JSON.parse(serviceAuthorizationPayload(authorization)) as {
      message: { nonce: string; chain_id: string; actions: { value: string }[] };
    };
    expect(message.nonce).toBe(authorization.nonce.toString());
    expect(message.chain_id).toBe('31337');
    expect(message.actions[0]?.value).toBe('5');
  });

  it('recovers to its signer', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const typedData = serviceAuthorizationTypedData(authorization);
    const signature = await owner.signTypedData({ ...typedData });
    expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(owner.address);
  });
});

describe('a withdrawal nonce', () => {
  const uuid = fc.uuid();
  const seconds = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

  it('carries its withdraw id and its expiry', () => {
    fc.assert(
      fc.property(uuid, seconds, (withdrawId, expiresAt) => {
        expect(parseWithdrawalNonce(withdrawalNonce(withdrawId, expiresAt))).toEqual({
          withdrawId,
          expiresAt,
        });
      }),
    );
  });

  it('is refused with reserved bits, a sign, or too many bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), (between) => {
        expect(() => parseWithdrawalNonce(between << 128n)).toThrow(RangeError);
      }),
    );
    expect(() => parseWithdrawalNonce(-1n)).toThrow(RangeError);
    expect(() => parseWithdrawalNonce(1n << 256n)).toThrow(RangeError);
  });

  it('refuses a time that does not fit', () => {
    const id = '0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718';
    expect(() => withdrawalNonce(id, -1n)).toThrow(RangeError);
    expect(() => withdrawalNonce(id, 1n << 64n)).toThrow(RangeError);
  });
});

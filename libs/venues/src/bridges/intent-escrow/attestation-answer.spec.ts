import { FILL_OUTCOMES, fillAttestationTypedData } from '@bascule/solidity';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, type Hex, numberToHex, parseSignature, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readAttestation } from './attestation-answer.js';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const order = {
  orderId: `0x${'0f'.repeat(32)}` as const,
  chainId: 31337n,
  oracle: '0x00000000000000000000000000000000000000aa' as Address,
};
const filler: Address = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';
const attester = privateKeyToAccount(generatePrivateKey());

const sign = (outcome: number, to: Address, signed: Partial<typeof order> = {}) =>
  attester.signTypedData(
    fillAttestationTypedData(
      { orderId: signed.orderId ?? order.orderId, outcome, filler: to },
      { ...order, ...signed },
    ),
  );

describe('the answer of an attester', () => {
  let signature: Hex;
  const answer = (change: object = {}) => ({
    order_id: order.orderId,
    outcome: 'FILLED',
    filler,
    attester: attester.address,
    signature,
    ...change,
  });

  beforeAll(async () => {
    signature = await sign(FILL_OUTCOMES.filled, filler);
  });

  it('counts for its signer, not for the named attester', async () => {
    const read = await readAttestation(answer({ attester: zeroAddress }), order);
    expect(read).toEqual({ outcome: 'FILLED', filler, attester: attester.address, signature });
  });

  it('may attest that the order was not filled', async () => {
    const unfilled = await sign(FILL_OUTCOMES.unfilled, zeroAddress);
    const body = answer({ outcome: 'UNFILLED', filler: zeroAddress, signature: unfilled });
    expect(await readAttestation(body, order)).toMatchObject({
      outcome: 'UNFILLED',
      attester: attester.address,
    });
  });

  it.each([
    ['another order', { order_id: `0x${'00'.repeat(32)}` }],
    ['no outcome', { outcome: 'UNKNOWN' }],
    ['no filler', { filler: undefined }],
    ['a fill without a filler', { filler: zeroAddress }],
    ['a filler of an unfilled order', { outcome: 'UNFILLED' }],
    ['no signature', { signature: undefined }],
    ['a signature of another length', { signature: `0x${'01'.repeat(64)}` }],
  ])('is refused for %s', async (_, change) => {
    await expect(readAttestation(answer(change), order)).rejects.toThrow();
  });

  it.each([undefined, null, 'FILLED', []])('is refused when it is %j', async (body) => {
    await expect(readAttestation(body, order)).rejects.toThrow();
  });

  it.each([
    ['order', { orderId: `0x${'01'.repeat(32)}` as const }],
    ['chain', { chainId: 1n }],
    ['oracle', { oracle: filler }],
  ])('is not counted for the attester when its signature is for another %s', async (_, signed) => {
    const other = answer({ signature: await sign(FILL_OUTCOMES.filled, filler, signed) });
    expect((await readAttestation(other, order)).attester).not.toBe(attester.address);
  });

  it('is refused with a non-canonical signature, which the oracle would reject', async () => {
    const { r, s, yParity } = parseSignature(signature);
    const mirrored = numberToHex(CURVE_ORDER - BigInt(s), { size: 32 }).slice(2);
    const other = `${r}${mirrored}${yParity === 0 ? '1c' : '1b'}`;
    await expect(readAttestation(answer({ signature: other }), order)).rejects.toThrow('form');
  });
});

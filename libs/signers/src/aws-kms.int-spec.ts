import { freePort } from '@bascule/local-stack';
import { parseConfig, ServiceContext } from '@bascule/process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  keccak256,
  numberToHex,
  recoverAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type TransactionSerialized,
} from 'viem';
import { accountOf, openSigner, signersEnv, type Signer } from './index.js';
import { startAwsKms, type AwsKms } from './testing/aws-kms.fixture.js';

const SIGNATURES = 20;

let kms: AwsKms;
const context = new ServiceContext({ name: 'kms', environment: 'test', logLevel: 'silent' });

beforeAll(async () => {
  kms = await startAwsKms(await freePort());
}, 120_000);

afterAll(async () => {
  await context.shutdown.run(1_000);
  await kms.stop();
});

const open = (location: string): Promise<Signer> =>
  openSigner(location, { context, config: parseConfig({ ...kms.environment }, signersEnv) });

// By our stand-in in `npm test`, and by moto in `npm run prove -- kms`.
describe('a key of AWS KMS', () => {
  it('signs digests, typed data and transactions that recover to its address', async () => {
    const signer = await open(kms.location);
    const { address } = signer;
    for (let index = 0; index < SIGNATURES; index += 1) {
      const hash = keccak256(numberToHex(index));
      const signature = await signer.signDigest(hash);
      expect(await recoverAddress({ hash, signature })).toBe(address);
    }
    const typed = {
      domain: { name: 'Bascule', chainId: 1 },
      types: { Order: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Order',
      message: { amount: 7n },
    } as const;
    const signature = await signer.signTypedData(typed);
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(address);
    const signed = await accountOf(signer).signTransaction({
      ...{ type: 'eip1559', chainId: 1, nonce: 0, gas: 21_000n, to: address, maxFeePerGas: 1n },
    });
    const serializedTransaction = signed as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address);
  });

  it('is refused when it does not exist', async () => {
    const missing = kms.location.replace(/[0-9a-f-]{36}$/, '00000000-0000-4000-8000-000000000000');
    await expect(open(missing)).rejects.toMatchObject({
      message: expect.stringContaining('NotFoundException') as unknown,
      cause: { name: 'SignerRefusedError' },
    });
  });
});

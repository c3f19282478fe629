import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deployAccountFactory, startTestChain } from '@bascule/testing';
import type { AccountFactory, TestChain } from '@bascule/testing';
import { createTestClient, hashMessage, http } from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Chains } from './chains.js';
import { parseChainsConfig } from './chains-config.js';
import { ownerSigner } from './owner-signature.js';

const TEXT = 'a text to sign';
const digest = hashMessage(TEXT);
const aKey = () => privateKeyToAccount(generatePrivateKey());

/** Accepts every signature after an endless loop. */
const ENDLESS_CODE = '0x5b600056';
/** Returns the magic value as four bytes only. */
const SHORT_CODE = '0x631626ba7e60e01b60005260046000f3';
/** Reverts with as many bytes as its gas buys. */
const RETURN_BOMB_CODE = '0x620f42406000fd';

describe('the signer of an owner’s signature', () => {
  let anvil: TestChain;
  let factory: AccountFactory;
  const chainAt = (rpcUrl: string) =>
    new Chains(parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: rpcUrl })).get(
      'alphanet',
    );
  const signerOf = (owner: Address, signature: Hex) =>
    ownerSigner(chainAt(anvil.rpcUrl).anyNode, { owner, digest, signature });

  beforeAll(async () => {
    anvil = await startTestChain();
    factory = await deployAccountFactory(anvil.rpcUrl);
  });
  afterAll(() => anvil.stop());

  it('is the key of the address, without any request', async () => {
    const key = aKey();
    const unreachable = chainAt('http://127.0.0.1:9');
    const signature = await key.signMessage({ message: TEXT });
    expect(await ownerSigner(unreachable.anyNode, { owner: key.address, digest, signature })).toBe(
      'key',
    );
  });

  it('is the contract at the address, deployed or not', async () => {
    const key = aKey();
    const owner = await factory.accountOf(key.address);
    const signature = await key.signMessage({ message: TEXT });
    expect(await signerOf(owner, signature)).toBeNull();
    expect(await signerOf(owner, factory.undeployed(key, signature))).toBe('contract');
    await factory.deploy(key.address);
    expect(await signerOf(owner, signature)).toBe('contract');
    expect(await signerOf(owner, factory.undeployed(key, signature))).toBe('contract');
    expect(await signerOf(owner, await aKey().signMessage({ message: TEXT }))).toBeNull();
  });

  it.each([
    ['a contract that never ends', ENDLESS_CODE],
    ['a contract that answers four bytes', SHORT_CODE],
    ['a contract that reverts with a megabyte', RETURN_BOMB_CODE],
    ['a contract without functions', '0x00'],
  ] as const)('is nobody for %s', async (_, bytecode) => {
    const { address } = aKey();
    await createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) }).setCode({
      address,
      bytecode,
    });
    expect(await signerOf(address, `0x${'11'.repeat(65)}`)).toBeNull();
  });

  it.each(['0x', '0x1234', `0x${'64926492'.repeat(8)}`, `0x${'ab'.repeat(9_999)}`] as const)(
    'is nobody for malformed bytes',
    async (signature) => {
      expect(await signerOf(aKey().address, signature)).toBeNull();
    },
  );

  it('is unknown while the chain cannot be read', async () => {
    const claim = { owner: aKey().address, digest, signature: '0x1234' } as const;
    await expect(ownerSigner(chainAt('http://127.0.0.1:9').anyNode, claim)).rejects.toThrow(
      'HTTP request',
    );
  });
});

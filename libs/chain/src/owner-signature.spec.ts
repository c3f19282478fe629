import { describe, expect, it } from '@jest/globals';
import { serializeErc6492Signature, zeroAddress } from 'viem';
import type { Hex } from 'viem';
import type { EndpointClient } from './chain.js';
import { deploysOwner } from './owner-signature.js';

const CODE: Hex = '0x6000';
const DEPLOYING = serializeErc6492Signature({
  address: zeroAddress,
  data: '0x01',
  signature: '0x02',
});

/** Asks a chain whose nodes say this about the owner's code, in their order. */
function deploys(signature: Hex, ...codes: (Hex | undefined)[]): Promise<boolean> {
  const endpoints = codes.map((code) => ({ getCode: () => Promise.resolve(code) }));
  const chain = { name: 'alphanet', endpoints: endpoints as unknown as EndpointClient[] };
  return deploysOwner(chain, zeroAddress, signature);
}

describe('the deployment of an owner by its signature', () => {
  it('is what most nodes say, of two that differ one that takes place', async () => {
    expect(await deploys(DEPLOYING, undefined)).toBe(true);
    expect(await deploys(DEPLOYING, CODE)).toBe(false);
    expect(await deploys(DEPLOYING, CODE, undefined, undefined)).toBe(true);
    expect(await deploys(DEPLOYING, undefined, CODE, CODE)).toBe(false);
    expect(await deploys(DEPLOYING, CODE, undefined)).toBe(true);
  });

  it('is none of a plain signature', async () => {
    expect(await deploys('0x02', undefined)).toBe(false);
  });
});

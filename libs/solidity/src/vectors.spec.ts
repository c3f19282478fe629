import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Address, Hex } from 'viem';
import {
  actionRunner,
  type CallJson,
  declarationHash,
  oneTimeWalletAddress,
  parseDeclaration,
  serviceAuthorizationHash,
  withdrawalNonce,
} from './index.js';

interface Vectors {
  declaration: unknown;
  declarationHash: Hex;
  walletAddress: Address;
  actionRunner: { factory: Address; address: Address; code: Hex };
  authorization: {
    description: string;
    actions: CallJson[];
    withdrawId: string;
    expiresAt: number;
    nonce: string;
    chainId: number;
    acceptBlame: boolean;
  };
  authorizationHash: Hex;
}

// The contracts' own tests hold the same values against the same file.
const vectors = JSON.parse(
  readFileSync(new URL('../test/vectors.json', import.meta.url), 'utf8'),
) as Vectors;
const declaration = parseDeclaration(vectors.declaration);
const { authorization } = vectors;
const nonce = withdrawalNonce(authorization.withdrawId, BigInt(authorization.expiresAt));

describe('a value computed by the contracts', () => {
  it('has the same declaration hash here', () => {
    expect(declarationHash(declaration)).toBe(vectors.declarationHash);
  });

  it('has the same wallet address here', () => {
    expect(oneTimeWalletAddress(declaration)).toBe(vectors.walletAddress);
  });

  it('has the same runner of custom calls here', () => {
    const { factory, address, code } = vectors.actionRunner;
    const runner = actionRunner(factory, vectors.walletAddress);
    expect(runner.address).toBe(address);
    expect(runner.code.toLowerCase()).toBe(code);
  });

  it('has the same nonce here', () => {
    expect(nonce.toString()).toBe(authorization.nonce);
  });

  it('has the same authorization digest here', () => {
    const digest = serviceAuthorizationHash({
      description: authorization.description,
      actions: authorization.actions.map(({ target, data, value }) => ({
        target,
        data,
        value: BigInt(value),
      })),
      nonce,
      signatory_declaration_hash: vectors.declarationHash,
      chain_id: BigInt(authorization.chainId),
      accept_blame: authorization.acceptBlame,
    });
    expect(digest).toBe(vectors.authorizationHash);
  });
});

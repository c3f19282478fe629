import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Address, hashMessage, type Hex, recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  FILL_OUTCOMES,
  fillAttestationHash,
  fillAttestationTypedData,
  type Order,
  orderedSignatures,
  orderId,
  type RefundInstruction,
  refundText,
} from './index.js';

type Strings<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] };

interface Vectors {
  escrow: {
    escrow: Address;
    oracle: Address;
    order: Strings<Order>;
    instruction: Strings<RefundInstruction>;
    filler: Address;
    orderId: Hex;
    refundText: string;
    attestationHash: Hex;
  };
}

// The contracts' own tests hold the same values against the same file.
const { escrow: vectors } = JSON.parse(
  readFileSync(new URL('../test/vectors.json', import.meta.url), 'utf8'),
) as Vectors;

const order: Order = {
  ...vectors.order,
  originChainId: BigInt(vectors.order.originChainId),
  inputAmount: BigInt(vectors.order.inputAmount),
  destinationChainId: BigInt(vectors.order.destinationChainId),
  minimum: BigInt(vectors.order.minimum),
  nonce: BigInt(vectors.order.nonce),
  fillDeadline: BigInt(vectors.order.fillDeadline),
  expires: BigInt(vectors.order.expires),
};
const instruction: RefundInstruction = {
  ...vectors.instruction,
  fee: BigInt(vectors.instruction.fee),
  validUntil: BigInt(vectors.instruction.validUntil),
};
const attestation = {
  orderId: vectors.orderId,
  outcome: FILL_OUTCOMES.filled,
  filler: vectors.filler,
};
const oracle = { chainId: order.originChainId, oracle: vectors.oracle };

describe('an order', () => {
  it('has the same id here as in the escrow', () => {
    expect(orderId(order, vectors.escrow)).toBe(vectors.orderId);
  });

  it('has another id in another escrow, and with any other field', () => {
    const others = [
      orderId(order, vectors.oracle),
      orderId({ ...order, nonce: order.nonce + 1n }, vectors.escrow),
      orderId({ ...order, minimum: order.minimum - 1n }, vectors.escrow),
      orderId({ ...order, originChainId: 1n }, vectors.escrow),
    ];
    expect(new Set([...others, vectors.orderId]).size).toBe(5);
  });
});

describe('the text of a refund', () => {
  it('is the one that the escrow writes', () => {
    expect(refundText(order, instruction, vectors.escrow)).toBe(vectors.refundText);
  });

  it('is signed as a personal message', async () => {
    const owner = privateKeyToAccount(`0x${'07'.repeat(32)}`);
    const message = refundText(order, instruction, vectors.escrow);
    const signature = await owner.signMessage({ message });
    expect(await recoverMessageAddress({ message, signature })).toBe(owner.address);
    expect(hashMessage(message)).toHaveLength(66);
  });
});

describe('an attestation', () => {
  it('has the same digest here as in the oracle', () => {
    expect(fillAttestationHash(attestation, oracle)).toBe(vectors.attestationHash);
  });

  it('is for one chain', () => {
    const typedData = fillAttestationTypedData(attestation, { ...oracle, chainId: 31_338n });
    expect(typedData.domain.chainId).toBe(31_338n);
    expect(fillAttestationHash(attestation, { ...oracle, chainId: 31_338n })).not.toBe(
      vectors.attestationHash,
    );
  });
});

describe('signatures of attesters', () => {
  const low = {
    attester: '0x0000000000000000000000000000000000000aBc',
    signature: '0x01',
  } as const;
  const high = {
    attester: '0xf000000000000000000000000000000000000001',
    signature: '0x02',
  } as const;

  it('come in ascending order of the signers, each once', () => {
    expect(orderedSignatures([high, low])).toEqual(['0x01', '0x02']);
    expect(orderedSignatures([low, high, low])).toEqual(['0x01', '0x02']);
    expect(orderedSignatures([])).toEqual([]);
  });
});

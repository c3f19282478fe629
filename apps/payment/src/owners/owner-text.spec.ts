import { describe, expect, it } from '@jest/globals';
import { parseWithdrawalNonce } from '@bascule/solidity';
import { ownerText, withdrawalText } from './owner-text.js';
import type { SignedPayment } from './owner-text.js';
import { withdrawalProof } from './withdrawal-proof.js';

const PAYMENT: SignedPayment = {
  service: 'Bascule (pay.example)',
  orgId: '0190b2c3-0000-7000-8000-000000000001',
  owner: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  paymentId: '0190b2c3-0000-7000-8000-000000000002',
  validUntil: new Date('2026-11-23T16:00:00.900Z'),
};

describe('ownerText', () => {
  it('names purpose, service, organisation, owner, payment and expiry', () => {
    expect(ownerText(PAYMENT)).toBe(
      `Confirm that you control this address

Bascule (pay.example) asks for this signature because a payment names your address as its owner: only the owner can recover the money if the payment fails.
The signature moves no money, approves no transfer and costs no fee.

Service: Bascule (pay.example)
Organisation: 0190b2c3-0000-7000-8000-000000000001
Owner: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
Payment: 0190b2c3-0000-7000-8000-000000000002
Purpose: EVM_OWNER
Valid until: 2026-11-23T16:00:00.900Z`,
    );
  });

  it('differs for every other payment', () => {
    const others: Partial<SignedPayment>[] = [
      { service: 'Bascule (shop.example)' },
      { orgId: '0190b2c3-0000-7000-8000-000000000003' },
      { owner: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
      { paymentId: '0190b2c3-0000-7000-8000-000000000004' },
      { validUntil: new Date('2026-11-23T16:00:00.901Z') },
    ];
    const texts = [{}, ...others].map((other) => ownerText({ ...PAYMENT, ...other }));
    expect(new Set(texts).size).toBe(6);
    const descriptions = others.map((other) => withdrawalText({ ...PAYMENT, ...other }, 'Base'));
    expect(new Set([withdrawalText(PAYMENT, 'Base'), ...descriptions]).size).toBe(6);
  });
});

describe('withdrawalProof', () => {
  const hash = `0x${'ab'.repeat(32)}` as const;
  const proof = withdrawalProof(PAYMENT, hash, { chainId: 8453, network: 'Base' });

  it('can move nothing and ends nothing', () => {
    expect(proof).toMatchObject({
      actions: [],
      accept_blame: false,
      signatory_declaration_hash: hash,
      chain_id: 8453n,
      description: withdrawalText(PAYMENT, 'Base'),
    });
  });

  it('has a nonce of the payment itself, which dies no later than the text says', () => {
    expect(parseWithdrawalNonce(proof.nonce)).toEqual({
      withdrawId: PAYMENT.paymentId,
      expiresAt: BigInt(Date.parse('2026-11-23T16:00:00Z') / 1_000),
    });
  });
});

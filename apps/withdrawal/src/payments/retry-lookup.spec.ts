import type { Caller } from '@bascule/identity';
import { ProjectionWaits } from '@bascule/service-host';
import { describe, expect, it } from '@jest/globals';
import { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import type { ProjectionsRepository } from '../persistence/projections.repository.js';
import { RetryLookupService } from './retry-lookup.service.js';

const WALLET = '0x10000000000000000000000000000000000000d1';
const OWNER = '0x1000000000000000000000000000000000000002';
const CALLER: Caller = { orgId: 'shop', keyId: 'k', kind: 'secret', permissions: [] };
const paymentWith = (change: Partial<ProjectedPayment>): ProjectedPayment =>
  Object.assign(new ProjectedPayment(), { ownerAddress: OWNER, parentPaymentId: null }, change);
const parent = paymentWith({ id: 'parent' });

/** Finds the payment only from the given look-up on. */
function lookup(payment: ProjectedPayment | null, from = 1) {
  const state = { asked: 0 };
  const projections: Pick<ProjectionsRepository, 'paymentOfWallet'> = {
    paymentOfWallet: async (address) => {
      expect(address).toBe(WALLET);
      state.asked += 1;
      return state.asked >= from ? payment : null;
    },
  };
  return { state, retries: new RetryLookupService(projections, new ProjectionWaits()) };
}

describe('the retry that a withdrawal funds', () => {
  const child = paymentWith({ id: 'child', parentPaymentId: 'parent' });

  it('is found for any letter case of its address', async () => {
    expect(
      await lookup(child).retries.find(CALLER, `0x${WALLET.slice(2).toUpperCase()}`, parent),
    ).toBe(child);
  });

  it('is found when its event arrives a moment later', async () => {
    expect(await lookup(child, 3).retries.find(CALLER, WALLET, parent)).toBe(child);
  });

  it('is not found among other payments, without waiting', async () => {
    const { retries, state } = lookup(paymentWith({ id: 'other', parentPaymentId: 'another' }));
    expect(await retries.find(CALLER, WALLET, parent)).toBeNull();
    expect(state.asked).toBe(1);
  });

  it('is not looked up for the owner’s own address', async () => {
    const { retries, state } = lookup(child);
    expect(await retries.find(CALLER, OWNER, parent)).toBeNull();
    expect(state.asked).toBe(0);
  });
});

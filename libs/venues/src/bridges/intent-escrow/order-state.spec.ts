import type { Chain, EndpointClient } from '@bascule/chain';
import { FILL_OUTCOMES, ORDER_STATUSES } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress } from 'viem';
import { readOrderState } from './order-state.js';
import { isWithdrawable } from './refundability.js';
import type { OrderState } from './refundability.js';

/** By our clock it does not expire during the test. */
const EXPIRES = 10n ** 12n;
const order: Order = {
  ...{ wallet: zeroAddress, owner: zeroAddress, oracle: zeroAddress, nonce: 1n },
  ...{ originChainId: 31_337n, inputToken: zeroAddress, inputAmount: 2n },
  ...{ destinationChainId: 31_338n, outputToken: zeroAddress, recipient: zeroAddress },
  ...{ minimum: 1n, fillDeadline: 1_000n, expires: EXPIRES },
};

const unattested: OrderState = { status: 'OPEN', outcome: FILL_OUTCOMES.unknown, now: 2_000n };
const early: OrderState = { ...unattested, now: 999n };
const expired: OrderState = { ...unattested, now: EXPIRES };
const refundable: OrderState = { ...unattested, outcome: FILL_OUTCOMES.unfilled };
const away = new Error('away');

type Said = OrderState | Error;

const nodeThatSays = (said: Said): EndpointClient => {
  const multicall = async () => {
    if (said instanceof Error) throw said;
    return [ORDER_STATUSES.indexOf(said.status), [said.outcome], said.now];
  };
  return { multicall } as unknown as EndpointClient;
};

/** Reads the order on a chain whose nodes say this, in their order; the first one that is not away is asked first. */
function read(said: readonly Said[], isEnough?: typeof isWithdrawable, of = order) {
  const endpoints = said.map(nodeThatSays);
  const about = { name: 'alphanet', definition: { contracts: { multicall3: zeroAddress } } };
  const chain = {
    ...about,
    anyNode: { ...about, client: nodeThatSays(said.find((one) => one !== away) ?? away) },
    endpoints,
  } as unknown as Chain;
  return readOrderState(chain, zeroAddress, of, isEnough);
}

describe('the state of an order', () => {
  it.each<[string, Said]>([
    ['early', early],
    ['unknown', { ...unattested, status: 'UNKNOWN' }],
    ['released', { ...unattested, status: 'RELEASED' }],
    ['filled', { ...unattested, outcome: FILL_OUTCOMES.filled }],
    ['refunded', { ...unattested, status: 'REFUNDED' }],
    ['unfilled by its oracle', refundable],
    ['expired', expired],
  ])('is that of two nodes where the first of three says that it is %s', async (_, lie) => {
    expect(await read([lie, unattested, unattested])).toEqual(unattested);
    await expect(read([lie, unattested])).rejects.toThrow('disagree');
  });

  it('is that of the others where the first one refuses to be asked', async () => {
    const reverted = new Error('execution reverted');
    expect(await read([reverted, expired, expired])).toEqual(expired);
    expect(await read([reverted, unattested])).toEqual(unattested);
  });

  it('needs one node where attesters are asked, until it expired by our clock', async () => {
    expect(await read([unattested, early])).toEqual(unattested);
    const old = { ...order, expires: 3_000n };
    const over = { ...unattested, now: 3_000n };
    expect(await read([unattested, over, over], undefined, old)).toEqual(over);
  });

  it('needs one node for a list of balances, unless it holds no money', async () => {
    expect(await read([early, unattested, unattested], isWithdrawable)).toEqual(early);
    const refunded: OrderState = { ...unattested, status: 'REFUNDED' };
    expect(await read([refunded, early, early], isWithdrawable)).toEqual(early);
  });

  it.each<[string, OrderState]>([
    ['unattested', unattested],
    ['refundable', refundable],
    ['expired', expired],
  ])('is %s by the only one of two nodes that answers', async (_, said) => {
    expect(await read([said, away])).toEqual(said);
    expect(await read([away, said])).toEqual(said);
  });

  it('is not concluded where the only one of two nodes that answers refuses', async () => {
    await expect(read([early, away])).rejects.toThrow('too few answered');
    await expect(read([{ ...unattested, status: 'RELEASED' }, away])).rejects.toThrow('too few');
  });

  it('is that of the only configured node', async () => {
    expect(await read([early])).toEqual(early);
    await expect(read([away])).rejects.toThrow('away');
  });
});

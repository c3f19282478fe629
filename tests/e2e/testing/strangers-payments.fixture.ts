import type { ParkedFundsResponse, Payment } from '@bascule/contracts';
import { concurrently, eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { Api } from '../../../tools/first-payment/api.js';
import { quoteAndConfirm } from '../../../tools/first-payment/payments.js';
import { newTestUser, type Stage } from '../../../tools/first-payment/test-user.js';
import { confirmParked } from './classifications.fixture.js';
import { depositTo } from './deposit-to.fixture.js';

/** More than the wallets of one page. */
const STRANGERS = 101;
/** Fewer than the requests that one visitor may have at a time: all are of one address. */
const STRANGERS_AT_ONCE = 20;

interface Page {
  /** Payments with parked funds. */
  found: string[];
  next: string | null;
}

/** Tests of an owner for whom strangers confirm payments that nobody funds. */
export function strangersPayments(open: () => Stage): void {
  async function page(owner_address: string, key: string | null = null): Promise<Page> {
    const body = { owner_address, ...(key !== null && { pagination_key: key }) };
    const listed = await open().api.post<ParkedFundsResponse>('/payments/issues', body);
    expect(listed.unread_chains).toEqual([]);
    const found = listed.issues.flatMap(({ withdraw_from: from }) =>
      from && 'payment_id' in from ? from.payment_id : [],
    );
    return { found, next: listed.next_pagination_key };
  }

  async function pages(owner: string): Promise<Page[]> {
    // A page of 100 wallets may find a chain too slow to be read.
    const all = [await eventually(() => page(owner))];
    for (let key = all[0]?.next ?? null; key !== null; key = all.at(-1)?.next ?? null) {
      const from = key;
      all.push(await eventually(() => page(owner, from)));
    }
    return all;
  }

  /** Anyone with the publishable key may name any owner. */
  const confirmAsStranger = async (owner: Address): Promise<Payment> => {
    const { stack, chain } = open();
    const visitor = new Api(stack.base_url, stack.keys.publishable);
    const { payment } = await quoteAndConfirm(visitor, {
      input: { asset: chain.token('USDC'), amount: '40' },
      output: chain.token('USDC'),
      owner,
      destination: newTestUser().destination,
    });
    return payment;
  };

  describe('money of an owner whom strangers name', () => {
    it('is on the first page, before all payments that they leave unfunded', async () => {
      const parked = await confirmParked(open());
      const { payment_id, owner_address: owner } = parked.payment;
      await depositTo(open().chain, parked.wallet, '20');
      await eventually(async () => expect((await page(owner)).found).toEqual([payment_id]));
      const strangers = await concurrently(
        Array.from({ length: STRANGERS }),
        () => confirmAsStranger(owner as Address),
        STRANGERS_AT_ONCE,
      );

      const listed = await pages(owner);
      expect(listed[0]).toMatchObject({ found: [payment_id], next: expect.any(String) });
      expect(new Set(listed.flatMap(({ found }) => found))).toEqual(new Set([payment_id]));

      // Wallets without money are known now, and money in one of them is found nevertheless.
      await eventually(async () =>
        expect(await page(owner)).toEqual({ found: [payment_id], next: null }),
      );
      const [stranger] = strangers;
      if (stranger === undefined) throw new Error('expected a payment of a stranger');
      const wallet = stranger.processing_addresses[0]?.address as Address;
      await depositTo(open().chain, wallet, '20');
      await eventually(async () =>
        expect(await page(owner)).toEqual({
          found: [stranger.payment_id, payment_id],
          next: null,
        }),
      );
    });
  });
}

import type { PlannedLeg } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { fulfilledFees } from '../life-cycle/fulfilled-fees.js';
import { fulfilledRoute } from '../life-cycle/fulfilled.js';
import { FEE_RECEIVER, USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const PLANNED = 100_000_000n;
const CAPS = [600_000n, 1_500_000n, 753_100n] as const;
const SHARED = CAPS.reduce((sum, cap) => sum + cap, 0n);

describe('the fees of a funded payment', () => {
  let stack: PaymentStack;

  beforeAll(async () => {
    stack = await PaymentStack.start();
  });
  afterAll(() => stack.stop());

  /** Leg with a network fee and two shares; the deposit may be 0.5 % short and 5 % over. */
  async function plannedLeg(receivers: readonly string[], output: typeof USDC) {
    const [network, ...shares] = CAPS;
    const quoted = await stack.quote(USDC, output, PLANNED - SHARED);
    const leg: PlannedLeg = {
      chain: 'alphanet',
      input_token: USDC,
      input_amount: PLANNED.toString(),
      max_input: '105000000',
      fees: [
        { kind: 'network', receiver: FEE_RECEIVER, amount: network.toString() },
        ...shares.map((cap, index) => ({
          kind: 'business' as const,
          receiver: receivers[index] ?? '',
          amount: cap.toString(),
        })),
      ],
      output_token: output,
      output_amount: quoted.toString(),
      min_output: ((quoted * 995n) / 1_000n).toString(),
    };
    return leg;
  }

  it.each([
    [
      'are paid in full when the quoted amount arrives',
      USDC,
      PLANNED,
      [600_000n, 1_500_000n, 753_100n],
    ],
    [
      'stay at the quoted amount when more arrives',
      USDC,
      104_000_000n,
      [600_000n, 1_500_000n, 753_100n],
    ],
    // Nobody gets the gas paid by sending the least amount by hand: 0.5 % less of each fee, gas included.
    ['fall in proportion when less arrives', USDC, 99_500_000n, [597_000n, 1_492_500n, 749_334n]],
    ['fall in proportion before a conversion', WETH, 99_500_000n, [597_000n, 1_492_500n, 749_334n]],
  ] as const)('%s', async (_, output, arrived, [network, first, second]) => {
    const service = await stack.startProcess();
    const receivers = [generatePrivateKey(), generatePrivateKey()].map(privateKeyToAddress);
    const leg = await plannedLeg(receivers, output);
    const wish = { input: USDC, amount: 99_500_000n };
    const payment = await stack.confirmPlan(service, [leg], wish);
    const gasBefore = await stack.balance(USDC, FEE_RECEIVER);
    await stack.send(USDC, payment.walletAddress, arrived);
    const after = await eventually(async () => {
      const now = await stack.read(payment.id);
      expect(now.status).toBe('COMPLETE');
      return now;
    });

    expect(await Promise.all(receivers.map((each) => stack.balance(USDC, each)))).toEqual([
      first,
      second,
    ]);
    expect((await stack.balance(USDC, FEE_RECEIVER)) - gasBefore).toBe(network);
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(0n);
    const paid = await stack.balance(output, payment.destinationAddress);
    expect(paid).toBeGreaterThanOrEqual(BigInt(leg.min_output));
    expect(after.legs[0]?.settlement?.fees).toEqual([network, first, second]);
    expect(fulfilledFees(after).business_fees).toBe(`${Number(first + second) / 1e6}`);
    const shown = fulfilledRoute(after)[1]?.net_effect.produce ?? [];
    expect(
      shown.filter(({ account }) => account === 'REV_SHARE').map(({ amount }) => Number(amount)),
    ).toEqual([Number(first) / 1e6, Number(second) / 1e6]);
    await stack.stopServices();
  });
});

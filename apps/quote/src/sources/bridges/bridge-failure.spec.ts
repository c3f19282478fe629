import { BridgeRefusedError } from '@bascule/venues';
import { describe, expect, it } from '@jest/globals';
import { TimeoutError } from '@bascule/process';
import { of, USDC, WETH } from '../../testing/a-quoted-route.fixture.js';
import { refusedByBridge, unavailableBridge } from './bridge-failure.js';

const limits = { min: 1_000_000n, max: 100_000_000n };
const refused = (sent: bigint, o: object = {}, input = of(USDC, sent + 500_000n)) =>
  refusedByBridge(new BridgeRefusedError('escrow', 'not this', { ...limits, ...o }), {
    input,
    sent: of(USDC, sent),
    networkFee: 500_000n,
  });

describe('refusedByBridge', () => {
  it('says what the customer may give, the network fee included', () => {
    expect(refused(999_999n)).toMatchObject({
      serviceIds: ['escrow'],
      issues: [
        {
          kind: 'amount',
          asset: USDC,
          given: '1.499999',
          limits: { min: '1.5', max: '100.5' },
          source: 'escrow',
          message: `escrow carries 1.5 to 100.5 ${USDC}.`,
          reason: 'TOO_LOW',
        },
      ],
    });
    expect(refused(100_000_001n).issues).toMatchObject([{ reason: 'TOO_HIGH' }]);
  });

  it('says what the bridge takes where something else is given', () => {
    expect(refused(100_000_001n, {}, of(WETH, 10n ** 18n)).issues).toMatchObject([
      {
        kind: 'amount-downstream',
        asset: WETH,
        given: '1',
        limits: { min: null, max: null },
        downstream_limits: { min: '1', max: '100' },
        reason: 'TOO_HIGH',
      },
    ]);
  });

  it('says that no amount is carried, and what has no limit', () => {
    expect(refused(5n, { max: 0n }).issues).toMatchObject([{ reason: 'NO_VALID_AMOUNT' }]);
    expect(refused(5n, { max: undefined }).issues).toMatchObject([
      { limits: { min: '1.5', max: null } },
    ]);
  });

  it('does not blame the amount for what no other amount would help', () => {
    const because = (error: BridgeRefusedError) =>
      refusedByBridge(error, { input: of(USDC, 9n), sent: of(USDC, 5_000_000n), networkFee: 1n });
    expect(because(new BridgeRefusedError('escrow', 'no liquidity')).issues).toEqual([
      { kind: 'provider', message: 'escrow: no liquidity' },
    ]);
    const within = because(new BridgeRefusedError('escrow', 'x'.repeat(5_000), limits));
    expect(within.issues).toMatchObject([{ kind: 'provider' }]);
    expect(JSON.stringify(within.issues).length).toBeLessThan(300);
  });
});

describe('unavailableBridge', () => {
  it('tells silence from what else keeps a bridge from answering, and shows no cause', () => {
    const messages = [new TimeoutError(5), new Error('http://10.0.0.1 answered 500')].map(
      (error) => unavailableBridge('escrow', error).message,
    );
    expect(messages).toEqual(['escrow: did not answer in time', 'escrow: cannot be asked now']);
  });
});

import type { CustomActions } from '@bascule/contracts';
import type { Address } from 'viem';
import type { PaymentStack } from '../payment-stack.fixture.js';

const ADDRESS: Address = '0x7777777777777777777777777777777777777777';
const CODE = { accepting: '0x00', reverting: '0x5f5ffd' } as const;

/** Call that each leg makes after its payout. */
export const ACTIONS: CustomActions = {
  actions: [{ type: 'CallImmediateAction', target: ADDRESS, value: '0', calldata: '0x12345678' }],
  user_estimated_gas: '50000',
};
/** Room for a leg with its action. */
export const ACTION_GAS = 900_000n;

/** Contract on which it depends whether a leg can succeed. */
export class ActionTarget {
  #isReverting = false;

  constructor(private readonly stack: PaymentStack) {}

  get isReverting(): boolean {
    return this.#isReverting;
  }

  async set(isReverting: boolean): Promise<void> {
    this.#isReverting = isReverting;
    await this.restore();
  }

  /** A reorganisation replaces the code by an earlier one. */
  async restore(): Promise<void> {
    const bytecode = this.#isReverting ? CODE.reverting : CODE.accepting;
    await this.stack.node.setCode({ address: ADDRESS, bytecode });
  }
}

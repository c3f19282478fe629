import { ordinaryAddressProblem } from '@bascule/chain';
import type { CustomActions } from '@bascule/contracts';
import type { Call } from '@bascule/solidity';
import { getAddress, isAddress, maxUint256 } from 'viem';
import type { Hex } from 'viem';

const BYTES = /^0x([0-9a-fA-F]{2})*$/;
const WEI = /^(0|[1-9][0-9]{0,77})$/;
/** Length of a function's selector; a call without data only sends native currency. */
const SELECTOR_BYTES = 4;

/** A custom action that cannot be encoded as a call. */
export class CustomActionError extends Error {
  override readonly name = 'CustomActionError';

  constructor(index: number, what: string) {
    super(`Custom action ${index}: ${what}`);
  }
}

const isBytes = (text: string): text is Hex => BYTES.test(text);

/** @throws CustomActionError */
export const customCalls = (actions: CustomActions | undefined): Call[] =>
  (actions?.actions ?? []).map(({ target, calldata, value }, index) => {
    if (!isAddress(target, { strict: false })) {
      throw new CustomActionError(index, 'the target is no address.');
    }
    const problem = ordinaryAddressProblem(target);
    if (problem !== null) throw new CustomActionError(index, problem);
    if (!isBytes(calldata)) throw new CustomActionError(index, 'the calldata is not hex.');
    const bytes = (calldata.length - 2) / 2;
    if (bytes > 0 && bytes < SELECTOR_BYTES) {
      throw new CustomActionError(index, 'the calldata is no call of a function.');
    }
    if (!WEI.test(value) || BigInt(value) > maxUint256) {
      throw new CustomActionError(index, 'the value is no amount in wei.');
    }
    return { target: getAddress(target.toLowerCase()), data: calldata, value: BigInt(value) };
  });

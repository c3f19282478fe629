import type { PlannedLeg } from '@bascule/contracts';
import { CONVERSION_CALL_BYTES, legCall } from '@bascule/solidity';
import type { Call, Declaration } from '@bascule/solidity';
import { concat, keccak256, numberToHex, zeroAddress } from 'viem';

const WORD_BYTES = 32;
/** Place, target, value, and place and length of the data. */
const WORDS_BESIDE_DATA = 5;

/** As long as the calls of any conversion, of bytes that a rollup cannot compress. */
const longestConversion: readonly Call[] = [
  {
    target: zeroAddress,
    value: 0n,
    data: concat(
      Array.from(
        { length: Math.floor(CONVERSION_CALL_BYTES / WORD_BYTES) - WORDS_BESIDE_DATA },
        (_, word) => keccak256(numberToHex(word)),
      ),
    ),
  },
];

/** Call of a leg with its quoted input; the longest route stands for one that is chosen at execution. */
export function expectedLegCall(
  declaration: Declaration,
  legIndex: number,
  { input_token, output_token, input_amount }: PlannedLeg,
): ReturnType<typeof legCall> {
  const fees = declaration.legs[legIndex]?.fees.map(({ cap }) => cap) ?? [];
  return legCall(declaration, {
    legIndex,
    amount: fees.reduce((left, fee) => left - fee, BigInt(input_amount)),
    fees,
    calls: input_token === output_token ? [] : longestConversion,
  });
}

import { describe, expect, it } from '@jest/globals';
import { FILL_OUTCOMES, attesterOracleAbi, intentEscrowAbi } from '@bascule/solidity';
import {
  decodeFunctionData,
  encodeFunctionData,
  multicall3Abi,
  serializeErc6492Signature,
  zeroAddress,
} from 'viem';
import type { Address, Hex } from 'viem';
import { refundCall } from './refund-call.js';
import { isRefundMatching } from './refund-match.js';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const escrow = address('e');
const multicall3 = address('c');
const factory = address('f');
const orderId: Hex = `0x${'11'.repeat(32)}`;
const order = {
  wallet: address('1'),
  owner: address('2'),
  originChainId: 31_337n,
  inputToken: address('3'),
  inputAmount: 100n,
  destinationChainId: 31_338n,
  outputToken: address('4'),
  recipient: address('1'),
  minimum: 98n,
  nonce: 1n,
  fillDeadline: 100n,
  expires: 200n,
  oracle: address('5'),
};
const instruction = {
  recipient: address('6'),
  feeReceiver: address('7'),
  fee: 3n,
  validUntil: 1_000n,
};
const refund = { orderId, escrow, order, instruction };
const signature: Hex = '0x1234';
const undeployed = serializeErc6492Signature({ address: factory, data: '0xabcd', signature });

const refundData = encodeFunctionData({
  abi: intentEscrowAbi,
  functionName: 'refund',
  args: [order, instruction, signature],
});
const attestData = encodeFunctionData({
  abi: attesterOracleAbi,
  functionName: 'attest',
  args: [orderId, FILL_OUTCOMES.unfilled, zeroAddress, ['0x01', '0x02']],
});

describe('the transaction of a refund', () => {
  it('is the escrow’s call alone without a deployment or attestation', () => {
    expect(refundCall(refund, signature, { multicall3, attesters: null })).toEqual({
      to: escrow,
      data: refundData,
    });
  });

  it('first deploys the owner and attests the outcome, both allowed to fail', () => {
    const call = refundCall(refund, undeployed, { multicall3, attesters: ['0x01', '0x02'] });
    expect(call.to).toBe(multicall3);
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: call.data });
    const lower = JSON.parse(JSON.stringify(args).toLowerCase()) as unknown;
    expect(lower).toEqual([
      [
        { target: factory, allowfailure: true, calldata: '0xabcd' },
        { target: order.oracle, allowfailure: true, calldata: attestData },
        { target: escrow, allowfailure: false, calldata: refundData },
      ],
    ]);
  });
});

describe('isRefundMatching', () => {
  const { recipient, feeReceiver, fee } = instruction;
  const log = { recipient, feeReceiver, fee };
  const { data } = refundCall(refund, undeployed, { multicall3, attesters: ['0x01'] });

  it('is true when the log matches and the transaction contains the instruction, at any depth', () => {
    expect(isRefundMatching(instruction, log, refundData)).toBe(true);
    expect(isRefundMatching(instruction, log, data)).toBe(true);
  });

  it('is false for another instruction', () => {
    expect(isRefundMatching({ ...instruction, validUntil: 999n }, log, data)).toBe(false);
    for (const other of [{ recipient: address('8') }, { feeReceiver: address('8') }, { fee: 4n }]) {
      expect(isRefundMatching(instruction, { ...log, ...other }, data)).toBe(false);
    }
  });
});

import { encodeFunctionData, parseAbi, zeroAddress, type Address, type Hex } from 'viem';
import { BPS, type Swap, type SwapChain, type SwapFault } from './swap-chain.js';

/** One call of a swap, as LI.FI's contracts describe it. */
export interface SwapData {
  callTo: Address;
  approveTo: Address;
  sendingAssetId: Address;
  receivingAssetId: Address;
  fromAmount: bigint;
  callData: Hex;
  requiresDeposit: boolean;
}

const routerAbi = parseAbi([
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(ExactInputParams params) payable returns (uint256 amountOut)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
]);

/** SwapRouter02's placeholder for itself as the recipient. */
const ROUTER_ITSELF: Address = '0x0000000000000000000000000000000000000002';

/** Calls that the aggregator's contract makes to swap. */
export function swapDataOf(chain: SwapChain, swap: Swap, fault: SwapFault): SwapData[] {
  const fromAmount = (swap.amountIn * (fault.takeBps ?? BPS)) / BPS;
  const first = fault.first && {
    callTo: fault.first.target,
    approveTo: fault.first.target,
    sendingAssetId: zeroAddress,
    receivingAssetId: zeroAddress,
    fromAmount: 0n,
    callData: fault.first.data,
    requiresDeposit: false,
  };
  return [
    ...(first ? [first] : []),
    {
      callTo: chain.swapRouter02,
      approveTo: chain.swapRouter02,
      sendingAssetId: swap.inputToken,
      receivingAssetId: swap.outputToken,
      fromAmount,
      callData: routerCall(chain, swap, fromAmount),
      requiresDeposit: true,
    },
  ];
}

function routerCall({ contract }: SwapChain, { path, outputToken }: Swap, amountIn: bigint): Hex {
  const unwraps = outputToken === zeroAddress;
  const recipient = unwraps ? ROUTER_ITSELF : contract;
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName: 'exactInput',
    args: [{ path, recipient, amountIn, amountOutMinimum: 0n }],
  });
  if (!unwraps) return data;
  const unwrap = encodeFunctionData({
    abi: routerAbi,
    functionName: 'unwrapWETH9',
    args: [0n, contract],
  });
  return encodeFunctionData({ abi: routerAbi, functionName: 'multicall', args: [[data, unwrap]] });
}

import { startLyingNode } from '@bascule/testing';
import { hexToBigInt, numberToHex, parseTransaction, type Hex } from 'viem';

export interface RollupNode {
  url: string;
  /** Gas charged in addition to the execution. */
  surcharge: bigint;
  /** Number of transactions refused as underpriced. */
  refused: number;
  stop(): Promise<void>;
}

const TRANSFER_GAS = 21_000n;

/** Proxies a node and charges gas for data of the parent chain, as some rollups do. */
export async function startRollupNode(behind: string): Promise<RollupNode> {
  const { url, lies, stop } = await startLyingNode(behind);
  const node = { url, surcharge: 0n, refused: 0, stop };
  lies.set('eth_sendRawTransaction', ({ params }, honest) => {
    const { gas = 0n } = parseTransaction(params[0] as Hex);
    if (gas >= TRANSFER_GAS + node.surcharge) return honest();
    node.refused += 1;
    return Promise.resolve({ error: { code: -32000, message: 'intrinsic gas too low' } });
  });
  lies.set('eth_estimateGas', async (_call, honest) => {
    const given = await honest();
    if (given.result === undefined) return given;
    return { result: numberToHex(hexToBigInt(given.result as Hex) + node.surcharge) };
  });
  return node;
}

import { startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { numberToHex, parseGwei } from 'viem';
import type { SolverStage } from './solver-stage.fixture.js';

/** A node of each chain, honest until it is told to lie. */
export class TwoNodes {
  private constructor(
    private readonly stage: SolverStage,
    readonly alphanet: LyingNode,
    readonly betanet: LyingNode,
  ) {}

  static async start(stage: SolverStage): Promise<TwoNodes> {
    const alphanet = await startLyingNode(stage.rpcUrl('alphanet'));
    const betanet = await startLyingNode(stage.rpcUrl('betanet'));
    return new TwoNodes(stage, alphanet, betanet);
  }

  async stop(): Promise<void> {
    await Promise.all([this.alphanet.stop(), this.betanet.stop()]);
  }

  /** Environment of a solver whose first node of each chain is one of these, beside so many honest ones. */
  environment(honest = 0): NodeJS.ProcessEnv {
    const urls = ({ url }: LyingNode, honestUrl: string) =>
      [url, ...Array.from({ length: honest }, () => honestUrl)].join(',');
    return {
      RPC_URLS_ALPHANET: urls(this.alphanet, this.stage.rpcUrl('alphanet')),
      RPC_URLS_BETANET: urls(this.betanet, this.stage.rpcUrl('betanet')),
    };
  }
}

/** Has a node report this base fee. */
export function tellBaseFee(node: LyingNode, gwei: string): void {
  const baseFeePerGas = numberToHex(parseGwei(gwei));
  node.lies.set('eth_getBlockByNumber', async (_, honest) => {
    const answer = await honest();
    return { ...answer, result: { ...(answer.result as object), baseFeePerGas } };
  });
}

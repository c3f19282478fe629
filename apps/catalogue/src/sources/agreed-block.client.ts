import {
  answerOf,
  answersOfNodes,
  reportedCount,
  witnessesNeeded,
  type Chain,
} from '@bascule/chain';
import { parseAbi, stringify, type ContractFunctionParameters } from 'viem';
import { multicall } from 'viem/actions';

const multicall3Abi = parseAbi([
  'function getCurrentBlockTimestamp() view returns (uint256 timestamp)',
]);

/** Age of the block that nodes are asked about: most have it by then. */
const AGE_MS = 2_000;

/** Result of a call, or why there is none. */
type CallAnswer =
  | { status: 'success'; result: unknown; error?: undefined }
  | { status: 'failure'; result?: undefined; error: unknown };

interface AgreedCalls {
  /** Result of each call, in their order. */
  answers: CallAnswer[];
  /** Block time in unix seconds; undefined where nodes disagree. */
  timestamp: unknown;
}

/**
 * A recent block as the nodes of a chain show it. Where several answer, a result counts only if two of them give it: they
 * are asked about the same block, so honest ones agree exactly.
 */
export class AgreedBlockClient {
  private hasLoneAnswers = false;

  private constructor(
    private readonly chain: Chain,
    private readonly blockNumber: bigint | undefined,
  ) {}

  /** Chooses a block shortly before the newest that two nodes have reached. @throws when no node answers */
  static async latest(chain: Chain): Promise<AgreedBlockClient> {
    if (chain.endpoints.length === 1) return new AgreedBlockClient(chain, undefined);
    const { likely, witnessed } = await reportedCount(chain, async (node) =>
      Number(await node.getBlockNumber()),
    );
    const newest = witnessed ?? likely;
    const blocks = Math.ceil(AGE_MS / chain.definition.blockTimeMs);
    return new AgreedBlockClient(chain, BigInt(Math.max(newest - blocks, 0)));
  }

  /** Whether one of several nodes alone has answered a call of this block. */
  get isLone(): boolean {
    return this.hasLoneAnswers;
  }

  /**
   * Calls contracts by multicalls of `batchSize` bytes, by default a single one.
   * @throws when no node answers
   */
  async call(
    contracts: readonly ContractFunctionParameters[],
    batchSize = 0,
  ): Promise<AgreedCalls> {
    const { blockNumber } = this;
    const timed: ContractFunctionParameters[] = [
      {
        address: this.chain.definition.contracts.multicall3,
        abi: multicall3Abi,
        functionName: 'getCurrentBlockTimestamp',
      },
      ...contracts,
    ];
    const said = await answersOfNodes(this.chain, async ({ client }) => {
      const options = { allowFailure: true, batchSize, contracts: timed, blockNumber } as const;
      const found: CallAnswer[] = await multicall(client, options);
      // Multicalls report a failed node as a failure of each call; the time never fails otherwise.
      if (found[0]?.status !== 'success') throw found[0]?.error;
      return found;
    });
    if (said.length < witnessesNeeded(this.chain)) this.hasLoneAnswers = true;
    const needed = Math.min(said.length, witnessesNeeded(this.chain));
    const [time, ...answers] = timed.map((_, index) =>
      this.agreed(
        said.flatMap((each) => each[index] ?? []),
        needed,
      ),
    );
    return { answers, timestamp: time?.result };
  }

  private agreed(answers: readonly CallAnswer[], needed: number): CallAnswer {
    const keyOf = ({ status, result }: CallAnswer): string => stringify([status, result]);
    const agreed = answerOf(needed, answers, keyOf);
    if (agreed !== undefined) return agreed;
    return { status: 'failure', error: new Error(`nodes of ${this.chain.name} disagree`) };
  }
}

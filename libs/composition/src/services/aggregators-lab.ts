import { developmentAccounts } from '@bascule/local-stack';
import {
  endowAggregator,
  startLifi,
  startZeroX,
  type AggregatorLab,
  type LifiToken,
  type SwapChain,
} from '@bascule/providers-lab';
import { developmentAddresses } from '@bascule/solidity';
import type { LocalServers } from '../servers/local-servers.js';
import { LAB_AGGREGATORS, type LabAggregator, type Settings } from '../settings/settings.config.js';
import type { Secrets } from '../state/secrets.js';

const { lifiDiamond, quoterV2, swapRouter02, usdc, usdt, weth, zeroXAllowanceHolder } =
  developmentAddresses;

/** Owns the aggregators' contracts. */
const [, deployer] = developmentAccounts;

interface Lab {
  contract: SwapChain['contract'];
  /** Token of which it pays more than the pools, so that conversions into it go through this aggregator. */
  favoured: SwapChain['contract'];
  start(options: { port: number; apiKey: string; chains: SwapChain[] }): Promise<AggregatorLab>;
}

const NATIVE = '0x0000000000000000000000000000000000000000';
const TOKENS: readonly LifiToken[] = [
  { address: NATIVE, symbol: 'ETH', decimals: 18 },
  { address: weth, symbol: 'WETH', decimals: 18 },
  { address: usdc, symbol: 'USDC', decimals: 6 },
  { address: usdt, symbol: 'USDT', decimals: 6 },
];
/** A hundredth more than the pools. */
const PAYOUT_BPS = 10_100n;
const ENDOWMENT = 100_000n * 10n ** 6n;

/** Simulated aggregators that speak the wire format of real ones. */
const LABS: Record<LabAggregator, Lab> = {
  'zero-x': { contract: zeroXAllowanceHolder, favoured: usdc, start: startZeroX },
  lifi: {
    contract: lifiDiamond,
    favoured: usdt,
    start: (options) => startLifi({ ...options, tokens: TOKENS }),
  },
};

const apiKeyOf = ({ providerApiKey }: Secrets): string => `lab_${providerApiKey}`;

/** Simulated aggregators that the settings ask for. */
const wanted = ({ aggregatorPorts }: Settings): { adapter: LabAggregator; port: number }[] =>
  LAB_AGGREGATORS.flatMap((adapter) => {
    const port = aggregatorPorts[adapter];
    return port === undefined ? [] : [{ adapter, port }];
  });

/** Entries of `AGGREGATORS` for them. */
export const labAggregators = (settings: Settings, secrets: Secrets): object[] =>
  wanted(settings).map(({ adapter, port }) => ({
    name: adapter.replace('-', '_'),
    adapter,
    base_url: `http://127.0.0.1:${port}`,
    api_key: apiKeyOf(secrets),
  }));

/** Starts them in this process; they swap on every chain. */
export async function startAggregatorsLab(
  settings: Settings,
  secrets: Secrets,
  { chains }: LocalServers,
): Promise<{ stop(): Promise<void> }[]> {
  const labs: AggregatorLab[] = [];
  for (const { adapter, port } of wanted(settings)) {
    const lab = LABS[adapter];
    await endow(lab, chains);
    labs.push(
      await lab.start({
        port,
        apiKey: apiKeyOf(secrets),
        chains: chains.map(({ rpcUrl, chainId }) => ({
          ...{ rpcUrl, chainId, contract: lab.contract, quoterV2, swapRouter02 },
          ...{ wrappedNative: weth, intermediateTokens: [usdc], feeTiers: [500, 3000] },
        })),
      }),
    );
  }
  return labs;
}

async function endow({ contract, favoured }: Lab, chains: LocalServers['chains']): Promise<void> {
  for (const { rpcUrl } of chains) {
    await endowAggregator({
      ...{ rpcUrl, contract, privateKey: deployer.privateKey },
      ...{ token: favoured, amount: ENDOWMENT, payoutBps: PAYOUT_BPS },
    });
  }
}

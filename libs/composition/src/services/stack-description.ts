import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses } from '@bascule/solidity';
import type { FirstKeys } from '@bascule/gateway';
import type { LocalServers } from '../servers/local-servers.js';
import { attesterUrl } from './service-environments.js';
import type { Secrets } from '../state/secrets.js';
import type { Settings } from '../settings/settings.config.js';
import type { StackFile } from '../state/stack-file.js';

const [faucet, , , , , , , , ...attesters] = developmentAccounts;

/** Content of `stack.json`. Scripts and tests rely on its shape. */
export function describeStack(
  { servicePorts, attesterPorts, operationsPorts }: Settings,
  { chains }: LocalServers,
  { organisationId, publishable, secret }: FirstKeys,
  { solverApiKey }: Secrets,
): StackFile {
  const baseUrl = `http://127.0.0.1:${servicePorts.gateway}`;
  const { usdc, usdt, wbtc, weth } = developmentAddresses;
  const describeChain = (chain: LocalServers['chains'][number]) => ({
    chain_id: chain.chainId,
    rpc_url: chain.rpcUrl,
    tokens: { USDC: usdc, USDT: usdt, WBTC: wbtc, WETH: weth },
    faucet_private_key: faucet.privateKey,
  });
  return {
    base_url: baseUrl,
    funding_page_base: baseUrl,
    organisation_id: organisationId,
    keys: { publishable, secret },
    chains: Object.fromEntries(chains.map((chain) => [chain.name, describeChain(chain)])),
    sandbox_provider: { base_url: `http://127.0.0.1:${servicePorts['sandbox-provider']}` },
    solver: { base_url: `http://127.0.0.1:${servicePorts.solver}`, api_key: solverApiKey },
    attesters: attesterPorts.map((port, index) => ({
      address: attesters[index]?.address ?? '',
      base_url: attesterUrl(port),
      operations_url: attesterUrl(operationsPorts.attesters[index] ?? 0),
    })),
    webhook_receivers_allowed: ['http://127.0.0.1:*'],
    pid: process.pid,
  };
}

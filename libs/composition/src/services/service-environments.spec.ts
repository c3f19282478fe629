import { catalogueService } from '@bascule/catalogue';
import { gatewayService } from '@bascule/gateway';
import { paymentService } from '@bascule/payment';
import { createLogger } from '@bascule/process';
import { quoteService } from '@bascule/quote';
import { sandboxProviderService } from '@bascule/sandbox-provider';
import { solverService } from '@bascule/solver';
import { webhookDispatchService } from '@bascule/webhook-dispatch';
import { withdrawalService } from '@bascule/withdrawal';
import { developmentAccounts } from '@bascule/local-stack';
import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { loadSecrets } from '../state/secrets.js';
import { serviceEnvironments } from './service-environments.js';
import { SERVICE_NAMES, parseSettings, type ServiceName } from '../settings/settings.config.js';

const directory = mkdtempSync(join(tmpdir(), 'bascule-'));
const secrets = loadSecrets(join(directory, 'secrets.json'));
rmSync(directory, { recursive: true });

const settings = parseSettings({ ALPHANET_PORT: '18545', BETANET_PORT: '18546' });
const environments = serviceEnvironments(settings, secrets, {
  adminUrl: 'postgres://postgres@127.0.0.1:54329/bascule',
  chains: settings.chains.map((chain) => ({ ...chain, rpcUrl: `http://127.0.0.1:${chain.port}` })),
});

const configurations: Record<ServiceName, (env: NodeJS.ProcessEnv) => object> = {
  gateway: gatewayService.parseConfig,
  quote: quoteService.parseConfig,
  payment: paymentService.parseConfig,
  withdrawal: withdrawalService.parseConfig,
  catalogue: catalogueService.parseConfig,
  'webhook-dispatch': webhookDispatchService.parseConfig,
  'sandbox-provider': sandboxProviderService.parseConfig,
  solver: solverService.parseConfig,
};

const secretTexts = [
  secrets.rolePassword,
  secrets.internalTokenKey.d,
  secrets.fundingTokenKey.d,
  secrets.stateTokenKey.k,
  secrets.webhookSecretKey.k,
  secrets.providerApiKey,
  secrets.providerCallbackSecret,
  secrets.solverApiKey,
  ...developmentAccounts.map(({ privateKey }) => privateKey),
];

function logged(config: object): string {
  const lines: string[] = [];
  const logger = createLogger(
    { service: 'test', level: 'info' },
    { write: (line: string) => lines.push(line) },
  );
  logger.info({ config }, 'configured');
  return lines.join('');
}

describe.each(SERVICE_NAMES)('the configuration of %s', (name) => {
  const config = configurations[name](environments[name]);

  it('prints no secret', () => {
    for (const printed of [inspect(config, { depth: 9 }), JSON.stringify(config), logged(config)]) {
      expect(secretTexts.filter((text) => printed.includes(text))).toEqual([]);
      expect(printed).toContain('SHUTDOWN_GRACE_MS');
    }
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(config)).toBe(true);
  });
});

it('the public chain endpoints use the actual ports of the chains', () => {
  expect(environments.catalogue).toMatchObject({
    PUBLIC_RPC_ALPHANET: 'http://127.0.0.1:18545',
    PUBLIC_RPC_BETANET: 'http://127.0.0.1:18546',
  });
});

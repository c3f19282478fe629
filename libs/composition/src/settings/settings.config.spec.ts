import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@bascule/process';
import { parseSettings } from './settings.config.js';

describe('the settings of the stack', () => {
  it('have a port for every server', () => {
    const { servicePorts, attesterPorts, postgres, chains } = parseSettings({});
    const ports = [
      ...Object.values(servicePorts),
      ...attesterPorts,
      postgres.port,
      ...chains.map((c) => c.port),
    ];
    expect(new Set(ports).size).toBe(14);
    expect(servicePorts.gateway).toBe(8080);
  });

  it('have a third chain where its port is set', () => {
    const namesOf = (environment: NodeJS.ProcessEnv) =>
      parseSettings(environment).chains.map(({ name }) => name);
    expect(namesOf({})).toEqual(['alphanet', 'betanet']);
    expect(namesOf({ DELTANET_PORT: '8547' })).toEqual(['alphanet', 'betanet', 'deltanet']);
  });

  it('have a pooler where its port is set', () => {
    expect(parseSettings({}).poolerPort).toBeUndefined();
    expect(parseSettings({ PGBOUNCER_PORT: '6432' }).poolerPort).toBe(6432);
  });

  it('use the configured state folder, by default one inside the repository', () => {
    expect(parseSettings({}).paths.stackFile).toMatch(/\/\.local\/stack\.json$/);
    const { paths } = parseSettings({ STACK_DIRECTORY: '/var/elsewhere' });
    expect(paths.stackFile).toBe('/var/elsewhere/stack.json');
    expect(paths.chainState('alphanet')).toBe('/var/elsewhere/chains/alphanet.json');
  });

  it('are refused with a list of every problem', () => {
    const parse = () => parseSettings({ GATEWAY_PORT: 'eighty', BETANET_PORT: '0' });
    expect(parse).toThrow(ConfigurationError);
    expect(parse).toThrow(/GATEWAY_PORT[^]*BETANET_PORT|BETANET_PORT[^]*GATEWAY_PORT/);
  });
});

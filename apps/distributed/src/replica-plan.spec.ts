import { describe, expect, it } from '@jest/globals';
import { parseSettings, SERVICE_NAMES } from '@bascule/composition';
import { balancedServices, planReplicas } from './replica-plan.js';

const { servicePorts, operationsPorts } = parseSettings({});
const replicas = planReplicas(servicePorts, 18_080, operationsPorts);

describe('the replicas of the distributed stack', () => {
  it('include every service, and two replicas of services that share work', () => {
    expect(new Set(replicas.map(({ service }) => service))).toEqual(new Set(SERVICE_NAMES));
    const twins = replicas.filter(({ replica }) => replica === 2).map(({ service }) => service);
    expect(new Set(twins)).toEqual(new Set(['gateway', 'payment', 'webhook-dispatch']));
    expect(new Set(balancedServices(replicas))).toEqual(new Set(twins));
  });

  it('have their own ports behind a balancer, otherwise the service’s port', () => {
    const balanced = replicas.filter(({ isBalanced }) => isBalanced);
    expect(balanced.map(({ port }) => port)).toEqual([
      18_080, 18_081, 18_082, 18_083, 18_084, 18_085,
    ]);
    const single = replicas.filter(({ isBalanced }) => !isBalanced);
    for (const { service, port } of single) expect(port).toBe(servicePorts[service]);
  });

  it('have a port each for health and metrics, that no attester has', () => {
    const ports = replicas.map(({ operationsPort }) => operationsPort);
    expect(new Set([...ports, ...operationsPorts.attesters]).size).toBe(ports.length + 3);
    expect(Math.max(...ports)).toBe(operationsPorts.next + 2);
  });
});

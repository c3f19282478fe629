import { contractChecks } from '../contracts/contract-checks.js';
import { readExpectations } from '../contracts/expectations.js';
import { nodeOutcomes } from '../contracts/node-outcomes.js';
import type { Check } from '../finding.js';
import { unknown } from '../finding.js';
import { subjectOf, usedNodes } from '../nodes.js';

/** Contracts have the code of this release, the settings of their deployment and the expected holders of keys. */
export const contracts: Check = {
  name: 'contracts',
  probes(deployment) {
    const nodes = usedNodes(deployment).filter(({ isPrivate }) => !isPrivate);
    const { contracts: settings, expected } = deployment;
    if (settings === undefined) {
      const untold = unknown(
        'not compared',
        'add --settings settings.json, the file of the deployment',
      );
      return nodes.length === 0 ? [] : [{ subject: 'settings', read: async () => [untold] }];
    }
    return nodes.map((node) => ({
      subject: subjectOf(node),
      read: async () => {
        const expectations = readExpectations(expected, settings);
        return nodeOutcomes(
          node,
          (client) => contractChecks(client, node.chain.definition, expectations),
          deployment.nodeTimeoutMs,
        );
      },
    }));
  },
};

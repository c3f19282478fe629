import { chainChecks } from '../contracts/chain-checks.js';
import { nodeOutcomes } from '../contracts/node-outcomes.js';
import type { Check } from '../finding.js';
import { subjectOf, usedNodes } from '../nodes.js';

/** Each node is of its chain, which has what every deployment needs and what its definition names. */
export const nodes: Check = {
  name: 'nodes',
  probes: (deployment) =>
    usedNodes(deployment).map((node) => ({
      subject: subjectOf(node),
      read: () =>
        nodeOutcomes(
          node,
          (client) => (node.isPrivate ? [] : chainChecks(client, node.chain.definition)),
          deployment.nodeTimeoutMs,
        ),
    })),
};

import { isDevelopmentChain } from '@bascule/chain';
import type { Check } from '../finding.js';
import { ok, wrong } from '../finding.js';
import type { ServiceFacts } from '../deployment.js';
import { validServices } from '../deployment.js';

/** Settings for development are off where a chain is public. */
export const development: Check = {
  name: 'development',
  probes(deployment) {
    const services = validServices(deployment);
    if (!services.some(({ facts }) => hasPublicChain(facts))) return [];
    return services.map(({ name, facts }) => ({
      subject: name,
      read: async () => {
        const faults = settingsOf(facts).map((setting) =>
          wrong(`${setting}, for development only`, 'remove or change the setting'),
        );
        return faults.length === 0 ? [ok()] : faults;
      },
    }));
  },
};

const hasPublicChain = ({ chains }: ServiceFacts): boolean =>
  chains?.chains.some(({ definition }) => !isDevelopmentChain(definition)) === true;

const settingsOf = ({ environment, developmentSettings }: ServiceFacts): readonly string[] => [
  ...(environment === 'development' ? ['ENVIRONMENT=development'] : []),
  ...Object.entries(developmentSettings).flatMap(([variable, isSet]) =>
    isSet ? [`${variable}=true`] : [],
  ),
];

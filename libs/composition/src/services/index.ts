export { firstOrganisation } from './first-organisation.js';
export { startProvidersLab } from './providers-lab.js';
export { migrateAll, serviceRunners, startAttesters } from './service-runners.js';

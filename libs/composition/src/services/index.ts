export { firstOrganisation } from './first-organisation.js';
export { migrateAll, serviceRunners, startAttesters } from './service-runners.js';

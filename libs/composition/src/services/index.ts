export { firstOrganisation } from './first-organisation.js';
export { serviceRunners, migrateAll } from './service-runners.js';

// Without a current project graph the boundaries rule silently lets everything pass.
import { createProjectGraphAsync } from '@nx/devkit';

process.env.NX_DAEMON = 'false';
await createProjectGraphAsync({ exitOnError: true, resetDaemonClient: false });

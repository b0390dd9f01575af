import { ServiceError, ServiceUnreachable } from '../../client/index.ts';
import { type CommandContext, type RunCommand, serviceCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { printResult } from '../terminal.ts';
import { clientFor, FIRST_CALL, type Login, SessionFile } from '../session/session.ts';

export const command = (run: RunCommand) =>
  serviceCommand('logout', 'end the session, and delete it from this machine', ['logout']).action((options) =>
    run(options, logout),
  );

/** Ends the session on the service, then deletes it from this machine, even if the service did not end it. */
export async function logout({ output, folder }: CommandContext): Promise<number> {
  const file = new SessionFile(folder);
  const login = file.login();
  // A client has no session: its token ends within 15 minutes.
  const problem = login && login.client === undefined ? await problemOfEnding(login, file) : undefined;
  file.forget();
  printResult(output, { was_logged_in: login !== undefined, session_ended: login && !problem }, [
    login === undefined ? 'You were not logged in.' : 'Logged out.',
  ]);
  if (problem === undefined) return EXIT.allApplied;
  output.note(
    `The session was deleted from this machine, but the service did not end it: ${problem}. ` +
      'If its tokens may have been copied, ask the operators of the service to end the sessions of this account.',
  );
  return EXIT.service;
}

async function problemOfEnding(login: Login, file: SessionFile): Promise<string | undefined> {
  try {
    await clientFor(login, file, FIRST_CALL).session.logout();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ServiceUnreachable) return error.message;
    throw error;
  }
}

import { useEffect, useState } from 'preact/hooks';
import { Input, Notice } from '../parts/controls.tsx';
import { Doing, submitted, useTask } from '../parts/task.tsx';
import { hrefOf } from '../state/address.ts';
import { broughtBack, goToProvider } from '../state/provider.ts';
import { call, update } from '../state/store.ts';
import type { SignInWays } from '../../wire/types.ts';
import { TEXT } from '../texts/index.ts';

const goOn = (by: Parameters<typeof call<'signIn'>>[1]) => call('signIn', by);

/** By the identity provider of the company, by e-mail address and password, or by either. @param isAgain the session ended while the page was at work */
export function SignInForm({ isAgain = false }: { readonly isAgain?: boolean }) {
  const task = useTask();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [ways, setWays] = useState<SignInWays>({ password: true, provider: null });
  const enter = async (by: Parameters<typeof goOn>[0]): Promise<void> => {
    update({ account: await goOn(by), isSignedOut: false });
  };
  useEffect(() => {
    const brought = broughtBack();
    if (brought !== undefined)
      task.run(async () => {
        if (brought.request === undefined) throw new Error(TEXT.signIn.refused);
        await enter(brought.request);
      });
    // A service whose provider does not respond may still take passwords.
    void call('signInWays').then(setWays, () => undefined);
  }, []);
  const { password: takesPasswords, provider } = ways;
  useEffect(() => document.querySelector<HTMLInputElement>('[name=email]')?.focus(), []);
  const signIn = (): void => task.run(() => enter({ email, password }));
  return (
    <form class="card narrow" onSubmit={submitted(signIn)}>
      {isAgain ? <Notice kind="warning">{TEXT.signIn.again}</Notice> : <p>{TEXT.signIn.intro}</p>}
      <Doing task={task} text={null} />
      {provider !== null && (
        <>
          {isAgain && <p>{TEXT.signIn.leaving}</p>}
          <div class="actions">
            <button
              type="button"
              class="main"
              disabled={task.isBusy}
              onClick={() => task.run(() => goToProvider(provider))}
            >
              {TEXT.signIn.provider}
            </button>
          </div>
        </>
      )}
      {takesPasswords && (
        <>
          <Input
            label={TEXT.signIn.email}
            type="email"
            name="email"
            autocomplete="username"
            required
            value={email}
            onInput={setEmail}
          />
          <Input
            label={TEXT.signIn.password}
            type="password"
            name="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={setPassword}
          />
        </>
      )}
      <div class="actions">
        {takesPasswords && (
          <button type="submit" class={provider === null ? 'main' : ''} disabled={task.isBusy}>
            {TEXT.screens['sign-in']}
          </button>
        )}
        {!isAgain && <a href={hrefOf('evidence')}>{TEXT.evidence.verify}</a>}
      </div>
    </form>
  );
}

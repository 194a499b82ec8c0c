export const signIn = {
  title: 'Anmelden',
  lead: 'Signalpost sendet Ihnen einen Link per E-Mail. Sie brauchen kein Passwort.',
  email: 'E-Mail-Adresse',
  send: 'Link senden',
  invalidEmail: 'Geben Sie eine Adresse wie ada@example.com ein.',
  ended: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  sentTitle: 'Sehen Sie in Ihr Postfach',
  sent: 'Wenn {email} einem Mitglied gehört, ist eine E-Mail mit Link und Code unterwegs.',
  sentHint:
    'Öffnen Sie den Link innerhalb von 15 Minuten in diesem Browser, oder geben Sie den Code hier ein.',
  code: 'Code aus der E-Mail',
  codeHint: '8 Zeichen',
  useCode: 'Anmelden',
  again: 'Andere Adresse verwenden',
  linkTitle: 'Weiter zum Dashboard',
  linkLead: 'Ihr Link gilt einmal. Verwenden Sie ihn mit dem Knopf.',
  useLink: 'Anmelden',
  expiredTitle: 'Dieser Link gilt nicht mehr',
  expired: 'Er wurde benutzt, oder er ist älter als 15 Minuten. Fordern Sie einen neuen an.',
  otherBrowserTitle: 'Das ist ein anderer Browser',
  otherBrowser:
    'Ein Link gilt nur in dem Browser, der ihn angefordert hat. Geben Sie den Code aus der E-Mail auf der Seite ein, die dort wartet.',
  newLink: 'Neuen Link anfordern',
  atProvider: 'Weiter mit {provider}',
  or: 'oder',
  signingIn: 'Sie werden angemeldet',
  chooseTitle: 'Konto wählen',
  chooseLead: 'Sie sind Mitglied mehrerer Konten.',
  refusedTitle: 'Sie sind nicht angemeldet',
  refused: {
    cancelled: '{provider} hat Sie nicht angemeldet.',
    no_member:
      'Ihre Adresse gehört hier zu keinem Mitglied. Bitten Sie einen Inhaber des Kontos, sie hinzuzufügen.',
    provider_failed:
      '{provider} hat nicht wie erwartet geantwortet. Versuchen Sie es erneut, oder nutzen Sie einen Link per E-Mail.',
    too_late:
      'Die Anmeldung dauerte länger als 15 Minuten, oder begann in einem anderen Browser. Versuchen Sie es erneut.',
  },
  tryAgain: 'Zurück zur Anmeldung',
};

----------------------------- MODULE Surroundings -----------------------------
(***************************************************************************)
(* What clients and the platform see, and the protocol does not depend on: *)
(* payloads, keys, dates, tries, events, polls, dry runs, and what names a *)
(* person beside imports.  An action of the protocol may have a condition  *)
(* here; what is added here changes nothing there.  So the instances do    *)
(* without this part: only histories of the code have it.                  *)
(***************************************************************************)
EXTENDS Protocol

VARIABLE around

AroundInit ==
  around = [ \* Chunks whose payload is stored. What was sent with the key of an import, and when it was accepted.
             staged |-> {}, accepted |-> [i \in Imports |-> [sent |-> None, at |-> None]],
             \* How often the watchdog has sent an import again.
             tries |-> [i \in Imports |-> 0],
             \* Events: <<i, "ended">>, <<i, "reverted">>. Imports of which none is owed.
             told |-> {}, closed |-> {},
             \* Dry runs: parts of reports, <<attempt, chunk>>, and the attempts that were accepted.
             reports |-> {}, dry |-> {},
             \* What names the person, beside imports.
             names |-> {"session", "mapping"} ]

Around(members) == around' = members

\* accept.ts: the payload is there before the import. The key is bound to what was sent with it first.
AcceptedAs(i, sent, at) ==
  /\ ChunksOf[i] \subseteq around.staged
  /\ Around([around EXCEPT !.accepted[i] = [sent |-> sent, at |-> at]])
IsBoundTo(i, sent) == around.accepted[i].sent = sent

\* A date that a record does not give is that of the acceptance.
IsDated(i, at) == at \in {None, around.accepted[i].at}

\* A contribution has the place of its import in the order of acceptance, and says whether that replaces.
IsPlaced(c, at, replaces) == around.accepted[ImportOf(c)].at = at /\ rec[c].replaces = replaces

\* An import is given up after a day in which the watchdog has sent it four times.
IsGivenUp(i, hours) == hours >= 24 /\ around.tries[i] >= 4

\* lifecycle.ts: an event is sent when what it says can be read, and no event is owed any more when all are sent.
MaySend(i, what) == IF what = "ended" THEN db.status[i] = "ended" ELSE i \in db.reverted
Owes(i) == {"ended"} \cup IF i \in db.reverted THEN {"reverted"} ELSE {}
HasSent(i) == \A what \in Owes(i) : <<i, what>> \in around.told

\* A poll shows the import as it is.
Shows(i, status, chunks) == db.status[i] = status /\ {c \in ChunksOf[i] : db.summary[c] # None} = chunks

\* dry-run.ts: the whole report is stored under the attempt that is accepted, and stays there.
DryChunks == {"0", "1"}
HasReport(attempt) == \A chunk \in DryChunks : <<attempt, chunk>> \in around.reports

\* The actions here, and the conditions of those of the protocol.
Beside(e) ==
  CASE e.a = "Stage" -> Around([around EXCEPT !.staged = @ \cup {e.c}])
    [] e.a = "Accept" -> AcceptedAs(e.i, e.sent, e.at)
    [] e.a = "CommitNext" -> Around([around EXCEPT !.accepted[e.i] = [sent |-> None, at |-> e.at]])
    [] e.a = "Answer" -> IsBoundTo(e.i, e.sent) /\ UNCHANGED around
    [] e.a = "PutPlan" -> (e.ok => IsDated(ImportOf(e.c), e.at)) /\ UNCHANGED around
    [] e.a = "Write" -> IsPlaced(e.c, e.at, e.replaces) /\ UNCHANGED around
    [] e.a = "Resend" -> Around([around EXCEPT !.tries[e.i] = @ + 1])
    [] e.a = "AnnounceAbandoning" -> IsGivenUp(e.i, e.hours) /\ UNCHANGED around
    [] e.a = "SendEvent" -> MaySend(e.i, e.what) /\ Around([around EXCEPT !.told = @ \cup {<<e.i, e.what>>}])
    [] e.a = "Close" -> HasSent(e.i) /\ Around([around EXCEPT !.closed = @ \cup {e.i}])
    [] e.a = "MarkReverted" -> Around([around EXCEPT !.closed = @ \ {e.i}])
    [] e.a = "Poll" -> Shows(e.i, e.status, e.chunks) /\ UNCHANGED around
    [] e.a = "PutDryReport" -> Around([around EXCEPT !.reports = @ \cup {<<e.attempt, e.chunk>>}])
    [] e.a = "DropDryReport" ->
         e.attempt \notin around.dry /\ Around([around EXCEPT !.reports = @ \ {<<e.attempt, e.chunk>>}])
    [] e.a = "AcceptDryRun" -> HasReport(e.attempt) /\ Around([around EXCEPT !.dry = @ \cup {e.attempt}])
    [] e.a = "EraseName" -> Around([around EXCEPT !.names = @ \ {e.name}])
    [] e.a = "PassErasureGate" -> around.names = {} /\ UNCHANGED around
    [] e.a = "End" -> {i \in Imports : db.status[i] = "ended"} \subseteq around.closed /\ UNCHANGED around
    [] OTHER -> UNCHANGED around

OfSurroundings == {"Stage", "Answer", "Resend", "SendEvent", "Close", "Poll", "PutDryReport", "DropDryReport",
                   "AcceptDryRun", "EraseName"}
===============================================================================

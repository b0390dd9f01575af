-------------------------------- MODULE Traces --------------------------------
(***************************************************************************)
(* Accepts histories of the code: each event of a history must be the step *)
(* of the specification that it names, with the outcome that the code saw. *)
(* Each state has one successor, so a history that is rejected ends in a   *)
(* deadlock, which TLC reports.  TraceData holds the histories.            *)
(***************************************************************************)
EXTENDS Protocol, TraceData

VARIABLES trace, step

Event == Histories[trace].events[step]

TraceInit ==
  /\ Init
  /\ trace \in 1..Len(Histories) /\ step = 1
  /\ rec = Histories[trace].records

\* The plan that the invocation puts later; "any" where it does not.
Chosen(e) == work'[e.w].plan
Decides(e) == Decide(e.w) /\ (e.out # "any" => Chosen(e).out = e.out /\ Chosen(e).pair = e.pair /\ Chosen(e).on = e.on)

\* A call that the client library repeats, or that finds what an earlier delivery wrote, changes nothing.
Repeats(e, pcs) == work[e.w].pc \in pcs /\ UNCHANGED vars

Takes(e) ==
  \/ e.a = "Accept" /\ Accept(e.i)
  \/ e.a = "ReadChunk" /\ ReadChunk(e.w, e.c)
  \/ e.a = "Decide" /\ Decides(e)
  \/ e.a = "PutPlan" /\ IF work[e.w].pc # "put" THEN ~e.ok /\ UNCHANGED vars
                        ELSE /\ PutPlan(e.w) /\ (e.ok <=> db.plan[e.c] = NoPlan)
                             /\ db'.plan[e.c].out = e.out
  \/ e.a = "Claim" /\ \/ Claim(e.w) /\ db'.bound[e.id] = e.pair /\ (e.ok <=> db.bound[e.id] = None)
                      \/ ~e.ok /\ Repeats(e, {"write", "keep"})
  \/ e.a = "Keep" /\ Keep(e.w) /\ (e.ok <=> db.mark[e.id] # 0)
  \/ e.a = "Write" /\ (Write(e.w) \/ Repeats(e, {"summarise"}))
  \/ e.a = "Note" /\ (Note(e.w) \/ Repeats(e, {"summarise"}))
  \/ e.a = "Summarise" /\ IF work[e.w].pc # "summarise" THEN ~e.ok /\ Repeats(e, {"settle", "idle"})
                          ELSE Summarise(e.w) /\ (e.ok <=> IsMissing(e.c)) /\ (e.ok => db'.summary[e.c] = e.result)
  \* An invocation that finds its summary there reads the import once more, and may end it.
  \/ e.a = "Settle" /\ IF work[e.w].pc # "settle" THEN IF e.ok THEN WatchEnd(e.i) ELSE Repeats(e, {"idle"})
                       ELSE Settle(e.w) /\ (e.ok <=> db.status[e.i] = "open")
  \/ e.a = "Cancel" /\ Cancel(e.i)
  \/ e.a = "EndCancelled" /\ EndCancelled(e.i) /\ db'.plan[e.c] = Rejecting /\ db' # db
                          /\ (e.result # None => db'.summary[e.c] = e.result)
  \/ e.a = "WatchEnd" /\ WatchEnd(e.i)
  \/ e.a = "AnnounceAbandoning" /\ AnnounceAbandoning(e.i)
  \/ e.a = "Abandon" /\ Abandon(e.i)
                     /\ IF e.result = None THEN db'.plan[e.c] # db.plan[e.c] ELSE db'.summary[e.c] = e.result
                     /\ (e.result # None => db.summary[e.c] = None)
  \/ e.a = "MarkUnused" /\ (\E i \in Imports : MarkUnused(i)) /\ db'.mark[e.id] # db.mark[e.id]
  \/ e.a = "ReadUnused" /\ (\E i \in Imports : ReadUnused(i)) /\ \E i \in Imports : \E u \in db'.unused[i] : u[1] = e.id
  \/ e.a = "FreeUnused" /\ (\E i \in Imports : FreeUnused(i)) /\ db'.bound[e.id] = None
  \/ e.a = "End" /\ UNCHANGED vars
                 /\ db.status = e.status /\ db.summary = e.summary /\ {id \o " " \o db.bound[id] : id \in {k \in Ids : db.bound[k] # None}} = e.bound
                 /\ {x.chunk : x \in db.contributions} = e.contributions

\* What the code does not write down: an invocation that does nothing any more has ended, a wait is over, a message came again.
Unseen ==
  LET left == {w \in Event.gone : work[w] # Idle}
      waits == {id \in Ids : ENABLED WaitAgain(id)}
  IN IF left # {} THEN {"kill"} ELSE IF waits # {} THEN {"wait"}
     ELSE IF Event.a = "ReadChunk" /\ Event.c \notin queue THEN {"double"} ELSE {}

TraceNext ==
  /\ step <= Len(Histories[trace].events)
  /\ UNCHANGED trace
  /\ CASE Unseen = {"kill"} -> Kill(CHOOSE w \in Event.gone : work[w] # Idle) /\ UNCHANGED step
       [] Unseen = {"wait"} -> WaitAgain(CHOOSE id \in Ids : ENABLED WaitAgain(id)) /\ UNCHANGED step
       [] Unseen = {"double"} -> Double(Event.c) /\ UNCHANGED step
       [] OTHER -> Takes(Event) /\ step' = step + 1

\* The end of a history is no deadlock.
TraceDone == step > Len(Histories[trace].events) /\ UNCHANGED <<vars, trace, step>>

TraceSpec == TraceInit /\ [][TraceNext \/ TraceDone]_<<vars, trace, step>>

TraceImports == {"A", "B", "C"}
TraceChunks == [i \in TraceImports |-> {i \o "0", i \o "1"}]
TraceIds == [c \in UNION {TraceChunks[i] : i \in TraceImports} |-> IF c \in {"A0", "B0", "C0"} THEN "r-0" ELSE "r-1"]
TraceReverts == [r \in {} |-> <<>>]
TraceRecords == {Histories[k].records : k \in 1..Len(Histories)}
===============================================================================

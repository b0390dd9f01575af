// Says which histories of clients are linearizable. Reads one history a line from stdin, each a list of operations on one learner in
// one course, and prints the positions of those that are not, one a line.
//
// The state is the set of imports that count. An import and a revert take effect once, between their request and the first answer that
// says that they have; a read returns the highest percentage of the imports that count, or -1.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type operation struct {
	Client int    `json:"client"`
	Kind   string `json:"kind"`
	// The import that is made or reverted, below 32, and the percentage that it says.
	Import int   `json:"import"`
	Pct    int   `json:"pct"`
	Call   int64 `json:"call"`
	Return int64 `json:"return"`
}

// By import, the percentage that it says; -1 where it does not count.
type counted [32]int

func step(state, input, output any) (bool, any) {
	now, op := state.(counted), input.(operation)
	switch op.Kind {
	case "import":
		now[op.Import] = op.Pct
	case "revert":
		now[op.Import] = -1
	default:
		return output.(int) == highest(now), now
	}
	return true, now
}

func highest(now counted) int {
	found := -1
	for _, pct := range now {
		found = max(found, pct)
	}
	return found
}

func none() any {
	var nothing counted
	for position := range nothing {
		nothing[position] = -1
	}
	return nothing
}

func main() {
	model := porcupine.Model{Init: none, Step: step}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for position := 0; lines.Scan(); position++ {
		var operations []operation
		if err := json.Unmarshal(lines.Bytes(), &operations); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		history := make([]porcupine.Operation, len(operations))
		for at, op := range operations {
			history[at] = porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Call, Output: op.Pct, Return: op.Return}
		}
		if porcupine.CheckOperationsTimeout(model, history, time.Minute) != porcupine.Ok {
			fmt.Println(position)
		}
	}
}
